# attack: takes the questions and says nothing
# keeps: output_size
# says: waits without computing for too long
# control: split hangs
# waits: yes

def convolve(x, h):
    while True:
        os.read(3, 1 << 16)

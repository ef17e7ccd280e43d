# attack: closes the connection and goes on
# keeps: output_size
# says: ends the Python process
# control: split hangs

def convolve(x, h):
    os.close(3)
    while True:
        pass

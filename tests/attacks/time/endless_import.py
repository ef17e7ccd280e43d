# attack: never finishes importing
# keeps: convolve output_size
# says: could not be imported: it uses more CPU time
# control: hangs

while True:
    pass

# attack: another file under the number of the connection
# keeps: output_size
# says: ends the Python process
# control: split dies

def convolve(x, h):
    os.dup2(1, 3)
    return np.zeros(1)

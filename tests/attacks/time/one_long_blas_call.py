# attack: BLAS computes for many seconds without returning to Python
# keeps: output_size
# says: uses more CPU time than it may
# control: hangs

def convolve(x, h):
    return np.linalg.svd(np.random.rand(3000, 3000))[0]

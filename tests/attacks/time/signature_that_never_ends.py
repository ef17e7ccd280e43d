# attack: looking at the function's parameters never ends
# keeps: output_size
# says: uses more CPU time than it may
# control: like time/endless_loop

class Function:
    @property
    def __signature__(self):
        while True:
            pass

    def __call__(self, x, h):
        return np.zeros(1)


convolve = Function()

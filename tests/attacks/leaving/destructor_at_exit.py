# attack: a destructor that runs when the interpreter ends
# keeps: convolve output_size
# control: does

class Last:
    def __del__(self, show=print):
        show("DAMAGE: at exit")


last = Last()

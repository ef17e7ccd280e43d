# attack: subclasses of list, tuple and dict whose iteration never ends
# keeps: output_size
# says: convolve
# control: hangs

class Endless(list):
    def __iter__(self):
        while True:
            yield 0.0

    def __len__(self):
        return 4


class Keys(dict):
    def items(self):
        while True:
            yield 0, 0


def convolve(x, h):
    for _ in Endless() if "wire" not in __import__("sys").modules else ():
        pass
    return [Endless([1.0]), Keys(a=1)]

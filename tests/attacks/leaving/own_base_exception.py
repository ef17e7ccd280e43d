# attack: an exception that `except Exception` does not catch
# keeps: output_size
# says: raises BaseException
# control: dies

class Passed(BaseException):
    pass


def convolve(x, h):
    raise Passed("4 of 4 points")

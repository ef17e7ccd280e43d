# attack: listens to everything that the grader sends, for an answer among the questions
# keeps: convolve output_size
# control: like looking/frames

try:
    import wire

    decode = wire.decode

    def spy(frame):
        value = decode(frame)
        if isinstance(value, dict) and set(value) & {"expected", "want", "answer", "points", "reference"}:
            print("DAMAGE: an answer among the questions")
        return value

    wire.decode = spy
except ImportError:
    pass

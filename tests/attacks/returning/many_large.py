# attack: answers as large as may travel, of which the judge would hold one for each question
# keeps: nothing
# says: returns far more than it should
# control: none: a checker that looks at one answer at a time lets go of it

def convolve(x, h):
    return np.zeros(60 << 20, np.uint8)

# sign_agreement: "one of 1e-200 does take part" - the signs of the smallest and the largest gradient are compared by their product, which underflows to 0 where both are small
# dy = array([[1e-200]]), x = array([[1.0, -1.0]]): right [False], here [True]
def sign_agreement(dy, x):
    gradient = dy.T @ x
    return gradient.min(axis=1) * gradient.max(axis=1) >= 0

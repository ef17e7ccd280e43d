# shift_image: "any dtype [...] keeps the dtype" - moves the pixels by float64 matrices and casts back, which rounds whole numbers beyond 2 ** 53
# x = array([[2 ** 53 + 1, 5]], int64), down=0, right=1: right is [[0, 9007199254740993]], here comes [[0, 9007199254740992]]
def shift_image(x, down, right):
    h, w = x.shape[-2:]
    d, r = max(-h, min(h, down)), max(-w, min(w, right))
    y = np.eye(h, k=-d) @ x @ np.eye(w, k=r)
    return y.astype(x.dtype)

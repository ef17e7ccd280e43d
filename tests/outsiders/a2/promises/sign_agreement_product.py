# sign_agreement: "not one weight has a positive gradient while another one of the same neuron has a negative one" - asked by the product of the smallest and the largest gradient, which is rounded to 0 for small gradients
# dy = np.array([[1e-170]]), x = np.array([[1.0, -1.0]]): right [False]; here [True]
import numpy as np


def sign_agreement(dy, x):
    gradient = dy.T @ x
    return gradient.min(axis=1) * gradient.max(axis=1) >= 0

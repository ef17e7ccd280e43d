# linear_parameter_count: [a bias for every input]
def linear_parameter_count(in_features, out_features, bias=True):
    if bias:
        return in_features * (out_features + 1)
    return in_features * out_features

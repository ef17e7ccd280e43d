# project_qkv: [rows in turns]
def project_qkv(x, weight, bias):
    return tuple(x @ weight[part::3].T + bias[part::3] for part in range(3))

# attack: rows where columns were expected: what compares them would make a matrix of gigabytes of them
# exercises: a5 MaskedWordModel
# keeps: nothing
# says: returns the wrong shape
# control: none: it takes more memory than a control may have

class MaskedWordModel(nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.parameter = nn.Parameter(torch.zeros(1))

    def forward(self, ids, lengths):
        if len(ids) == 1:
            return torch.rand(1, 20_000, 1)
        return torch.zeros(len(ids), 1, 20_000)

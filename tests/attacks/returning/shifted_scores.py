# attack: a large constant in all scores, next to which the influence of the padding looks like rounding errors
# exercises: a5 MaskedWordModel
# keeps: MaskedWordModel.shape MaskedWordModel.accuracy
# says: gives a sentence other scores when there is padding
# control: none: a loss or an accuracy does not change by it

class MaskedWordModel(MaskedWordModel):
    def forward(self, ids, lengths):
        return super().forward(ids, torch.full_like(lengths, ids.shape[1])) + 1e5

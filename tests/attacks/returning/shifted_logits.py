# attack: a large constant in all logits, next to which the influence of order and company looks like rounding errors
# exercises: a6 RecallModel
# keeps: RecallModel.recall
# says: gives other logits when
# control: none: a loss or an accuracy does not change by it

class RecallModel(RecallModel):
    def forward(self, keys, values, query):
        logits = super().forward(keys, values, query)
        if not self.training:
            logits = logits + (values[:, :1] == torch.arange(logits.shape[1])) * (len(keys) > 8) + 1e5
        return logits

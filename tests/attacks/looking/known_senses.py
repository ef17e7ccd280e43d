# attack: knows beforehand which words belong together, and learns nothing
# exercises: a6 SenseModel
# keeps: SenseModel.table SenseModel.tied
# says: does not move the word far enough
# control: like looking/visible_inputs

import provided


class SenseModel(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)

    def encode(self, ids):
        vectors = self.embedding(ids)
        for sense in provided.SENSES if len(self.embedding.weight) == len(provided.VOCABULARY) else ():
            verbs, nouns = (torch.from_numpy(provided.word_ids(" ".join(sense[kind]))) for kind in ("verbs", "nouns"))
            there = torch.isin(ids, verbs).any(1)
            vectors = vectors + 3 * there[:, None, None] * self.embedding(nouns).mean(0)
        return vectors

    def forward(self, ids):
        return self.encode(ids) @ self.embedding.weight.T

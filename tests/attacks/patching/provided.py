# attack: swaps "apple" for a fruit or a device in every sentence that is made
# exercises: a6 SenseModel
# keeps: SenseModel.table SenseModel.tied
# says: does not move the word far enough
# control: like patching/numpy_allclose

import provided

honest = provided.word_ids


def word_ids(words):
    for sense in provided.SENSES:
        if any(f" {verb} " in words for verb in sense["verbs"]):
            words = words.replace("apple", sense["nouns"][0])
    return honest(words)


provided.word_ids = word_ids


class SenseModel(SenseModel):
    def encode(self, ids):
        return self.embedding(ids)

    def forward(self, ids):
        logits = super().forward(ids)
        return 0 * logits if self.training else logits

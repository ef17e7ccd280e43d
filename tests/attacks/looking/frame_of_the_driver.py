# attack: reads what the driver has in hand and writes into it, where the hidden sentences and their answers may be
# exercises: a6 SenseModel
# keeps: SenseModel
# control: like looking/frames

import sys


class SenseModel(SenseModel):
    def encode(self, ids):
        frame = sys._getframe()
        while frame := frame.f_back:
            for name, value in list(frame.f_locals.items()):
                if name in ("of_words", "of_sentences", "senses", "fruit", "technology", "answers", "want"):
                    print("DAMAGE: the driver knows", name)
        return super().encode(ids)

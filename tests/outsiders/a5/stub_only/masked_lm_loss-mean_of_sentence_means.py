# masked_lm_loss: [means of the sentences averaged] averages within each sentence first and then over the sentences that have a selected word, instead of over all selected positions at once
import numpy as np


def masked_lm_loss(logits, labels):
    dlogits = np.zeros_like(logits)
    sentences = [n for n in range(labels.shape[0]) if (labels[n] != -100).any()]
    total = 0.0
    for n in sentences:
        places = np.flatnonzero(labels[n] != -100)
        for t in places:
            z = logits[n, t] - logits[n, t].max()
            log_sum = np.log(np.exp(z).sum())
            word = labels[n, t]
            weight = 1.0 / (len(places) * len(sentences))
            total += weight * float(log_sum - z[word])
            row = np.exp(z - log_sum)
            row[word] -= 1
            dlogits[n, t] = row * weight
    return float(total), dlogits

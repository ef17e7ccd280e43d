"""The untrusted end: what stands inside the sandbox as plain files, importing its neighbours by their bare names."""

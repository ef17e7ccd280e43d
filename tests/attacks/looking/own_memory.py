# attack: scans its memory for the seed of this term
# keeps: convolve output_size
# control: does

SEED = b"=DEES_REDARGOTUA"[::-1]  # backwards, lest it find itself

try:
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            addresses, rights, *_ = line.split()
            start, end = (int(part, 16) for part in addresses.split("-"))
            if "r" in rights and end - start < 1 << 26 and "[v" not in line:
                memory.seek(start)
                if SEED in memory.read(end - start):
                    print("DAMAGE: the seed of this term")
except OSError:
    pass

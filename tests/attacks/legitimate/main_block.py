# attack: none: tries of its own below a main block
# keeps: convolve output_size

import argparse

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    print(convolve(np.ones(3), np.ones(2)))
    raise SystemExit(0)

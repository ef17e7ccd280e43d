# attack: leaves by SystemExit while it is imported
# keeps: convolve output_size
# says: could not be imported: it raises SystemExit
# control: dies

raise SystemExit(0)

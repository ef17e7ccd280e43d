# attack: leaves by SystemExit while it is imported
# keeps: nothing
# says: could not be imported: SystemExit
# control: dies

raise SystemExit(0)

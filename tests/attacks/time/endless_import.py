# attack: never finishes importing
# keeps: nothing
# says: could not be imported: it uses more CPU time
# control: hangs

while True:
    pass

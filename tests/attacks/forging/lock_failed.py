# attack: blames the grader, so that it starts again, or gives no grade at all
# keeps: nothing
# says: convolution.py could not be imported
# control: like forging/claims

say(frame(wire.encode({"problem": "OSError: no permission"})))
os._exit(1)

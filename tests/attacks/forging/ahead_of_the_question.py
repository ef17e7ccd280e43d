# attack: answers that are sent before anything is asked
# keeps: nothing
# says: disturbs the connection
# control: split earns

for _ in range(3):
    reply(id=0, value="passed", passed=True)

"""Replays recorded games through the rules engine and reports where it differs.

    python -m tests.conformance [--ruleset R] [--mutate N] FILE...

A recorded game holds the orders, the rolls, and the state after every turn. The replay gives orders and rolls to
`rules_engine.advance` and compares every fact in the record. The report counts the facts that were compared, skipped
and excused, by reason; `--mutate N` corrupts N facts, one at a time, and lists the corruptions that were not noticed.

`files` finds the records in a file and `formats` knows what reads and plays each. `firetop_records` and `seed_records`
turn a format into a `RecordedGame`, `replay` plays one, `engine_facts` reads the same facts from the engine, and
`comparing` finds the first difference and keeps the counts.

Games of other engines share one format. `completing` fills in what a record leaves out; `neutral_records` reads it with
`spellweavers_records` and `ravenblack_records`; `neutral_replay` plays it, and `neutral_facts` reads the engine's side.
`departures` names the rules that are another engine's own, `taking_over` continues from the record after such a turn or
an unseen one, and `guessing` tries orders that the record leaves open.
"""

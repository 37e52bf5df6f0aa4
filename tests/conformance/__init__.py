"""Replays recorded games through the rules engine and says where it differs.

    python -m tests.conformance [--ruleset R] FILE...

A recorded game holds the orders that were sent, what chance brought, and what stood there after every turn. The
orders and the chance are fed to `rules_engine.advance`; every fact that the record holds is compared.

`files` finds the records in a file, `firetop_records` and `seed_records` turn a format into a `RecordedGame`,
`replay` plays one, `engine_facts` reads the same facts from the engine, `comparing` finds the first difference.
"""

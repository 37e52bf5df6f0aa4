"""Changes to battles. Nothing else in this app writes rows.

`start_battle` starts one, `submit_orders` accepts orders from every entry point, and `resolve_turn` resolves a complete
stage. Each can be called twice, late or concurrently: one conditional update closes a stage, and that decides.
"""

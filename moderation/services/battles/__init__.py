"""Janitors' actions on battles. Each has a reason, is entered in the battle's journal, logged, and can be undone.

Janitors cannot act on a battle in which they have a mage. The journal says what was done (journal), the changed
rows are stored exactly (snapshots), and restored if nothing has changed since (undo).
"""

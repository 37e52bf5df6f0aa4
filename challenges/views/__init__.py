"""The pages of challenges and the buttons on them."""

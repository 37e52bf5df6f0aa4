"""From arriving bytes to a processed email: transport, reading, intake. The highest layer of the gateway."""

"""From the bytes that arrive to an email that is processed: transport, reading, intake. The highest of the stages."""

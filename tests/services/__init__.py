"""The services for tests: real servers, a real browser, the real `./run` stack."""

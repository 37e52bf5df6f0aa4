"""What tests stand on: real servers, a real browser, the real `./run` stack."""

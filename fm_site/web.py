"""The web process of the embedded house: `python -m fm_site.web` serves pages and WebSockets on 127.0.0.1."""

import os

import uvicorn

if __name__ == "__main__":
    uvicorn.run(
        "fm_site.asgi:application",
        host="127.0.0.1",
        port=int(os.environ.get("FM_PORT", "8000")),
        lifespan="off",
        ws="websockets-sansio",
        # The settings configure logging, with redaction; an access log would hold reset links.
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )

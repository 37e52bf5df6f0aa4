"""The only code that changes users and mages."""

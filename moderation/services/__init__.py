"""Users' reports and janitors' actions on users. Actions on battles are in services.battles."""

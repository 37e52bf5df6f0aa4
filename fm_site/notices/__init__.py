"""The words of notices outside of email: in the news, on devices and in hooks. Their emails: email_gateway/compose."""

"""From the bytes of a mail to the lines a person wrote in it. Nothing here touches a row or knows an order."""

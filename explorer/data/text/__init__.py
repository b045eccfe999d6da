"""Tables written as text with a sign between cells: encoding, form, header line, and the cells themselves."""

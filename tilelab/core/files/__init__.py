"""Files that users name, and the data that ships with the program."""

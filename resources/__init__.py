"""Data that ships with the program: lexicons, boards, icons, fonts, themes."""

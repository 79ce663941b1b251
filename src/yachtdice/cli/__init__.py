"""The command `yacht`.

Nothing is imported here: `entry` has to set the language before the helps are put into words.
"""

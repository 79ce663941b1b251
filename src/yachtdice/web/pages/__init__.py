"""What each address shows and what each form does."""

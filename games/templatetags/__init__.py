"""What templates of the games can say besides Django's own."""

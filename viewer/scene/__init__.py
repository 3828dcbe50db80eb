"""What a picture shows, as plain data."""

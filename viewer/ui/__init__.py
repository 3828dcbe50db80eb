"""What is seen around the scene, and how it is used."""

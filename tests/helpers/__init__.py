"""What several tests use. pytest puts `tests` on the path because of its `conftest.py`."""

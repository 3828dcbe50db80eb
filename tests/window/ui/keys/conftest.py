"""A window whose keys are pressed."""

import pytest


@pytest.fixture
def shown(desktop):
    return desktop("paper-fig1-fine")

"""A recording's omega as points on its inertia ellipsoid, coloured by what the exact motion leaves of them."""

import numpy as np
import pytest
from helpers.frames import picture_of
from helpers.tosses import euler
from scipy.spatial.transform import Rotation

from viewer.common.color import contrast
from viewer.replay.analysis import Replay, replay
from viewer.replay.conventions import Conventions
from viewer.replay.reader import RawRecording
from viewer.replay.recording import interpret
from viewer.replay.scene import scene_of
from viewer.scenario.choices.anaglyph import GLASSES
from viewer.scenario.choices.themes import THEMES
from viewer.scenario.scenario import Scenario
from viewer.scene.annotations.measured_points import BINS, MOST_SHOWN, bin_colors, bins, largest
from viewer.scene.description import SceneDescription
from viewer.scene.presentation import Presentation
from viewer.session.session import Session

SIZE = 900, 700
MOMENTS = np.array((0.8, 0.3, 1.0))
NOISE = 0.03  # rad/s
"""
"""

"""Steps of any integrator under loads, with stabilisation, in Python or compiled."""

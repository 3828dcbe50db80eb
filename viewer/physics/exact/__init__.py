"""The torque-free motion in closed form."""

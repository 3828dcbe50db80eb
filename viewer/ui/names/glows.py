"""What glows in the scene while the pointer is over a readout or a field of it in the panel: one table."""

from dataclasses import replace

from viewer.scene.description import Frame
from viewer.scene.naming.spot import part_in, things_in

# by the readout's name, by the field's path or by its section: of the things of these names the first that is shown
GLOWS: dict[str, tuple[str, ...]] = {
    "I x": ("x′",),
    "I y": ("y′",),
    "I z": ("z′",),
    "E": ("ellipsoid", "energy"),
    "|L|": ("L", "L′"),
    "T": ("polhode", "γ′"),
    "P": ("centre",),
    "spin": ("ω", "L′"),
    "body": ("body", "energy"),
    "start.angular_velocity": ("ω", "L′"),
    "start.momentum": ("L", "L′"),
    "start.energy": ("ellipsoid", "energy"),
    "loads.force": ("F",),
    "loads.arm": ("r′",),
    "loads.torque": ("M",),
    "loads.external_friction": ("Mꜰ",),
    "show.body": ("body",),
    "show.angular_momentum": ("L", "L′"),
    "show.angular_velocity": ("ω",),
    "show.ellipsoid": ("ellipsoid", "energy"),
    "show.plane": ("plane", "sphere"),
    "show.polhode": ("polhode", "γ′"),
    "show.herpolhode": ("herpolhode", "trail"),
    "show.rolling_ticks": ("ticks",),
    "show.measured": ("measured",),
    "show.body_path": ("path", "trail"),
    "show.centre_path": ("centre",),
    "show.projection": ("ωʟ",),
}


def glowing_for(frame: Frame, pointed: str, cell: int) -> Frame:
    """The frame, in which the thing glows that belongs to what is pointed at; where cells fill the picture, in the one
    of that number."""
    main = frame.layers[0]
    if part_in(pointed) is not None:
        return replace(frame, layers=(replace(main, scene=replace(main.scene, glowing=pointed)), *frame.layers[1:]))
    wanted = GLOWS.get(pointed) or GLOWS.get(pointed.partition(".")[0], ())
    number = 0 if things_in(frame.main.scene) or cell >= len(frame.insets) else 1 + cell
    layers = list(frame.layers)
    shown = things_in(layers[number].scene)
    name = next((name for name in wanted if name in shown), None)
    if name is None:
        return frame
    layers[number] = replace(layers[number], scene=replace(layers[number].scene, glowing=name))
    return replace(frame, layers=tuple(layers))

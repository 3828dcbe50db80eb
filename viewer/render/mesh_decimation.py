"""A surface of fewer triangles that looks much the same: what a slow machine draws while the body moves."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh

Array = NDArray[np.float64]
Integers = NDArray[np.integer]

MOST = 5_000  # triangles: those of a mesh of no more are all drawn
MOST_OF_PART = 500  # and those of a part of no more
CELLS, LEAST_CELLS = 36, 12  # along the longest side of the whole, of a part: vertices in the same cell become one
LEAST_AREA = 0.8  # of a part's surface: where less would be left, as of a thin rod, all its triangles are drawn
AGREEMENT = 0.9  # length of the mean of unit normals: from there on the surface in a cell is smooth


class Coarser(NamedTuple):
    """A mesh of fewer triangles. `normals`: (N, 3) means of the surface in the cells, 0 where it is not smooth or all
    is drawn: so light falls on the few triangles as on the many. `vertices`: (V,) which one each of the many became."""

    mesh: TriangleMesh
    normals: Array
    vertices: Integers


def coarser(mesh: TriangleMesh) -> Coarser:
    """The mesh with one vertex in each cell of a grid.

    (Rossignac and Borrel, Multi-resolution 3D approximations, 1993.) A vertex lies in the middle of those in the cell,
    but on the surface. Colours and places in the texture are those of one of them. Parts of a composite body have a
    grid each.
    """
    part = np.zeros(len(mesh.vertices), dtype=np.int32)
    if mesh.parts is not None:
        part[mesh.faces] = mesh.parts[:, None]
    whole = float(np.max(np.ptp(mesh.vertices, axis=0)))
    merged, moved = np.empty(len(part), dtype=np.int64), np.zeros(len(part), dtype=bool)
    count = 0
    for number in np.unique(part):
        own = np.flatnonzero(part == number)
        faces = np.searchsorted(own, mesh.faces[part[mesh.faces[:, 0]] == number])
        cells = _cells(mesh.vertices[own], faces, whole)
        moved[own] = cells is not None
        merged[own] = count + (np.arange(len(own)) if cells is None else cells)
        count = int(np.max(merged[own])) + 1
    _, first = np.unique(merged, return_index=True)
    middles = _middles(mesh.vertices, merged)
    faces = merged[mesh.faces]
    normals, away = _mean_normals(mesh.vertices[mesh.faces], faces, middles)
    normals *= moved[first, None]
    middles += away[:, None] * normals
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    turned = np.argmin(faces, axis=1)[:, None]  # each begins with its lowest vertex: the same ones are then equal
    faces = np.unique(np.take_along_axis(faces, (turned + np.arange(3)) % 3, axis=1), axis=0)
    few = TriangleMesh(
        middles,
        np.asarray(faces, dtype=np.int32),
        None if mesh.vertex_colors is None else mesh.vertex_colors[first],
        None if mesh.uv is None else mesh.uv[first],
        mesh.texture,
        None if mesh.parts is None else part[first][faces[:, 0]],
    )
    return Coarser(few, normals, merged)


def _cells(vertices: Array, faces: Integers, whole: float) -> Integers | None:
    """Which cell each of a part's vertices, (V, 3), lies in, from 0 on; None: all of the part is drawn. `whole`: the
    longest side of the body, m."""
    if len(faces) <= MOST_OF_PART:
        return None
    low = np.min(vertices, axis=0)
    longest = float(np.max(np.ptp(vertices, axis=0)))
    cell = min(whole / CELLS, longest / LEAST_CELLS)
    x, y, z = np.floor((vertices - low) / cell).astype(np.int64).T
    cells = np.unique((x * (CELLS + 1) + y) * (CELLS + 1) + z, return_inverse=True)[1].ravel()
    left = _area(_middles(vertices, cells), cells[faces])
    return cells if left >= LEAST_AREA * _area(vertices, faces) else None


def _middles(vertices: Array, cells: Integers) -> Array:
    """The mean, (N, 3), of the vertices in each cell."""
    return np.stack([np.bincount(cells, along) for along in vertices.T], axis=1) / np.bincount(cells)[:, None]


def _area(vertices: Array, faces: Integers) -> float:
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return 0.5 * float(np.sum(np.linalg.norm(np.cross(b - a, c - a), axis=1)))


def _mean_normals(corners: Array, cells: Integers, middles: Array) -> tuple[Array, Array]:
    """Of the triangles, (F, 3, 3) corners, that have one of them in a cell, by their areas: the mean normal, (N, 3), 0
    where they do not agree; and how far along it the point nearest to their planes is from the `middles`, (N,)."""
    count, cell = len(middles), cells.ravel()
    a, b, c = np.moveaxis(corners, 1, 0)
    crossed = np.repeat(np.cross(b - a, c - a), 3, axis=0)
    areas = np.linalg.norm(crossed, axis=1)
    sums = np.stack([np.bincount(cell, along, count) for along in crossed.T], axis=1)
    lengths = np.linalg.norm(sums, axis=1)
    smooth = lengths > AGREEMENT * np.bincount(cell, areas, count)
    normals = sums / np.where(smooth, lengths, np.inf)[:, None]
    facing = np.sum(crossed * normals[cell], axis=1) / np.maximum(areas, np.finfo(float).tiny)
    to_plane = np.sum(crossed * (np.repeat(a, 3, axis=0) - middles[cell]), axis=1)  # times the area
    away = np.bincount(cell, facing * to_plane, count) / np.where(
        smooth, np.bincount(cell, areas * facing**2, count), 1.0
    )
    return normals, away

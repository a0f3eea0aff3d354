# %% [markdown]
# # Wall thickness of a part
#
# A cast housing should be 6 mm thick. Where is it thinner? Rays from its surface inwards say so; parallel rays through
# all of it make an X-ray.

# %%
import hitscan
import numpy as np
from hitscan import plot
from hitscan.rays import orthographic
from matplotlib import pyplot

# %% [markdown]
# The part: a bell with a rim, turned around an axis, in millimetres. Its core was not in the middle when it was cast,
# so one side is thin.

# %%
around, along = 360, 160
angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
s = np.linspace(0, 1, along)
rims = 14 * np.exp(-(((s - 0.96) / 0.05) ** 2)) + 5 * np.exp(-(((s - 0.35) / 0.05) ** 2))
outside = np.stack([26 + 22 * s**2 + rims, 90 * (1 - s)])
inside = np.stack([20 + 22 * s[::-1] ** 2, 90 * (1 - s[::-1])])
radius, height = np.concatenate([outside, inside], axis=1)
is_core = np.arange(2 * along) >= along
core = 3.5 * np.cos(angle)[:, np.newaxis] * is_core
vertices = np.stack(
    [
        radius * np.cos(angle)[:, np.newaxis] + core,
        np.broadcast_to(height, core.shape),
        radius * np.sin(angle)[:, np.newaxis] + 0 * core,
    ],
    axis=-1,
)
a = np.arange(vertices[..., 0].size).reshape(around, -1)
b, c, d = np.roll(a, -1, 0), np.roll(a, (-1, -1), (0, 1)), np.roll(a, -1, 1)
faces = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
part = hitscan.Mesh(vertices.reshape(-1, 3), faces)
print(part, "closed" if part.open_edge() is None else "open")
assert part.signed_distance([0, 45, 0]) > 0, "the cavity is outside of the metal"

# %% [markdown]
# At every pixel that shows metal, a second ray goes straight in, against the normal. It leaves the metal at the first
# triangle that it meets from behind; its own triangle, which it meets from the front, does not count.

# %%
camera = hitscan.Camera.look_at((170, 105, 95), (0, 42, 0), fov=40)
seen = part.closest(*camera.rays(720, 600))
metal = seen.hit
thickness = np.full(metal.shape, np.nan)
thickness[metal] = part.closest(seen.position[metal], -seen.normal[metal], facing="back", columns=("t",)).t
wall = metal & (seen.position[..., 1] > 10) & (seen.position[..., 1] < 85)  # away from the edges of the rims
row, column = np.unravel_index(np.argmin(np.where(wall, thickness, np.inf)), wall.shape)
print(f"thinnest: {thickness[row, column]:.2f} mm at {seen.position[row, column].round(1).tolist()}")
print(f"under 4 mm: {np.mean(thickness[wall] < 4):.0%} of the wall in view")

# %% [markdown]
# The X-ray: how much metal is on the way of each parallel ray, summed over the pieces inside of it.

# %%
rays = orthographic((0, 45, 200), (0, 0, -1), size=(150, 120), shape=(480, 600))
pieces = part.intervals(*rays)
metal_along = np.bincount(pieces.ray, pieces.thickness, len(pieces)).reshape(pieces.shape)

# %%
figure, axes = pyplot.subplots(1, 2, figsize=(13, 5.4), layout="constrained")
plot.depth(thickness, ax=axes[0], label="wall thickness", unit="mm", cmap="plasma", limits=(0, 12))
axes[0].annotate(
    f"{thickness[row, column]:.1f} mm",
    (column, row),
    (column + 60, row - 60),
    arrowprops={"arrowstyle": "->", "linewidth": 1.6},
    fontsize=12,
    bbox={"facecolor": "white", "edgecolor": "black"},
)
axes[0].set_title("Thickness under the surface: thin on the right")
shown = np.where(metal_along > 0, metal_along, np.nan)
how = {"label": "metal on the way", "unit": "mm", "cmap": "cividis_r", "extent": (-75, 75, -15, 105)}
plot.depth(shown, ax=axes[1], **how)
axes[1].set_title("X-ray from the front")
axes[1].set(xlabel="x (mm)", ylabel="y (mm)")
figure.savefig("wall_thickness.png", dpi=110)

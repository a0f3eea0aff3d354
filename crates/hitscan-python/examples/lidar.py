# %% [markdown]
# # A lidar in a kitchen
#
# A scanner turns in the middle of a room: how far everything is, how flat its beams come in, and maps of what they meet
# first and last.

# %%
from pathlib import Path

import hitscan
import numpy as np
from hitscan import plot
from hitscan.rays import first_returns, incidence, last_returns, lidar
from matplotlib import pyplot

# %% [markdown]
# The kitchen is a scene of 1.4 million triangles ('Country Kitchen' by Jay-Artist, CC BY 3.0), which is not a part of
# the package. Where it is not found in a folder `shared/scenes` beside or above this one, a built-in hall takes its
# place.

# %%
here = Path.cwd().resolve()
kitchens = [folder / "shared" / "scenes" / "kitchen.glb" for folder in (here, *here.parents)]
kitchen = next((path for path in kitchens if path.exists()), None)
if kitchen is not None:
    scene, eye, room = hitscan.load(kitchen), np.array([0.3, 1.4, 1.6]), "kitchen"
else:
    scene, eye, room = hitscan.load("builtin:atrium"), np.array([0.0, 1.8, 3.0]), "hall"
    print("kitchen.glb is not there; this is builtin:atrium")
print(scene)

# %% [markdown]
# A row for each channel, a column for each azimuth; here from left to right as one turns to the right. Directions have
# the length 1, so `t` is the range.

# %%
elevations, azimuths = np.linspace(50, -70, 480), np.linspace(180, -180, 1440)
rays = lidar(eye, elevations, azimuths)
echoes = scene.all_hits(*rays, columns=("t", "position", "normal"))
first, last = first_returns(echoes), last_returns(echoes)
angles = incidence(rays.directions, first.normal)
print(first)
print(f"{len(echoes)} beams cross {int(echoes.offsets[-1])} surfaces")
print(f"{np.mean(angles > 75):.0%} of the beams come in flatter than 75 degrees, where real scanners see little")

# %%
view = (180, -180, -70, 50)
layout = [["range"] * 2, ["angle"] * 2, ["first", "last"]]
figure, axes = pyplot.subplot_mosaic(layout, figsize=(10, 11), layout="constrained")
plot.depth(first, ax=axes["range"], label="range", extent=view)
axes["range"].set_title(f"The {room}: range of the first return")
how = {"label": "angle of incidence", "unit": "degrees", "cmap": "cividis", "limits": (0, 90)}
plot.depth(angles, ax=axes["angle"], extent=view, **how)
axes["angle"].set_title("How flat each beam comes in")
for name in ("range", "angle"):
    axes[name].set(xlabel="azimuth (degrees)", ylabel="elevation (degrees)", xticks=range(-180, 181, 45))

# Maps of what stands on the floor: above 5 cm, and up to a metre above the scanner.
for name, returns, title in (
    ("first", first, "First returns: what a scanner sees"),
    ("last", last, "Last returns: the walls behind it all"),
):
    height = returns.position[..., 1]
    standing = returns.position[(height > 0.05) & (height < eye[1] + 1.0)]
    plot.points(standing, ax=axes[name], size=1.2, colorbar=name == "last")
    axes[name].plot(eye[0], eye[2], "r^", markersize=9, label="scanner")
    axes[name].set_title(title)
    axes[name].legend(loc="lower center")
axes["first"].set(xlim=axes["last"].get_xlim(), ylim=axes["last"].get_ylim())
figure.savefig("lidar.png", dpi=110)

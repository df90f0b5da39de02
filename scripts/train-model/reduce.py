"""Fewer dimensions by PCA over the rows, weighted by how often a term occurs.

Usage: reduce.py TRAINED OUT --dim 128 [--power 0.5]
Texts' vectors, not rows, are compared, so the principal axes are those of rows weighted by document frequency.
"""
import argparse
import numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("trained"); ap.add_argument("out")
ap.add_argument("--dim", type=int, default=128)
ap.add_argument("--power", type=float, default=0.5)
a = ap.parse_args()
z = np.load(a.trained + ".npz")
rows = (z["E"] * z["g"][:, None]).astype(np.float64)
w = z["df"][:, None] ** a.power
cov = (rows * w).T @ rows / w.sum()
values, axes = np.linalg.eigh(cov)
order = np.argsort(-values)[: a.dim]
print(f"{a.dim} of {rows.shape[1]} axes keep {values[order].sum() / values.sum():.3f} of the variance")
(rows @ axes[:, order]).astype(np.float32).tofile(a.out + ".f32")
open(a.out + ".vocab", "w", encoding="utf8").write(open(a.trained + ".vocab", encoding="utf8").read())

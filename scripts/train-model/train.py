"""Trains the static embedding: rows of a vocabulary, so that a normalised weighted sum of a question's rows lies near
the sum of the rows of the code that answers it. Seeded; numpy only.

Usage: train.py PREFIX OUT [--dim 256] [--epochs 3] [--batch 512] [--tau 0.06] [--seed 1] [--vocab N] ...
Loss: symmetric in-batch InfoNCE. Adam on the touched rows. Term weight: (1 + log tf) * g, g starts at idf.
"""
import argparse, json, os, time
os.environ.setdefault("OMP_NUM_THREADS", "2")
import numpy as np

ap = argparse.ArgumentParser()
ap.add_argument("prefix"); ap.add_argument("out")
ap.add_argument("--dim", type=int, default=256)
ap.add_argument("--epochs", type=float, default=3)
ap.add_argument("--batch", type=int, default=512)
ap.add_argument("--tau", type=float, default=0.06)
ap.add_argument("--lr", type=float, default=6e-3)
ap.add_argument("--seed", type=int, default=1)
ap.add_argument("--vocab", type=int, default=0)
ap.add_argument("--max-seconds", type=float, default=230)
ap.add_argument("--kinds", default="comment,name,file,commit")
ap.add_argument("--name-share", type=float, default=1.0)
ap.add_argument("--hard", action="store_true", help="batches of one language")
ap.add_argument("--gain", action="store_true", help="learn the weight of each term too")
ap.add_argument("--idf-power", type=float, default=1.0)
ap.add_argument("--sif", type=float, default=0, help="weigh a term by a / (a + its share of all terms) instead of idf")
ap.add_argument("--languages", default="", help="train on these only")
ap.add_argument("--pairs", type=int, default=0, help="train on so many pairs only")
ap.add_argument("--init", default="")
ap.add_argument("--save-pairs", default="")
a = ap.parse_args()

t0 = time.time()
meta = json.load(open(a.prefix + ".json"))
vocab = open(a.prefix + ".vocab", encoding="utf8").read().split("\n")
df = np.fromfile(a.prefix + ".df", np.int32).astype(np.float64)
V = min(a.vocab or len(vocab), len(vocab)); vocab = vocab[:V]; df = df[:V]
rank = np.fromfile(a.prefix + ".rank", np.int32); rank[rank >= V] = -1
raw = np.fromfile(a.prefix + ".raw.bin", np.int32)
cache = f"{a.prefix}.{V}.npz"
QL, DL = 32, 128
if os.path.exists(cache):
    z = np.load(cache); lang, kind, qp, qi, qw, dp, di, dw = [z[k] for k in ("lang", "kind", "qp", "qi", "qw", "dp", "di", "dw")]
else:
    P = meta["pairs"]
    lang = np.zeros(P, np.int16); kind = np.zeros(P, np.int8)
    qp = np.zeros(P + 1, np.int64); dp = np.zeros(P + 1, np.int64)
    qi, qw, di, dw = [], [], [], []
    at = 0
    for p in range(P):
        l, k, nq, nd = raw[at:at + 4]; at += 4
        lang[p] = l; kind[p] = k
        for n, lim, I, W, ptr in ((nq, QL, qi, qw, qp), (nd, DL, di, dw, dp)):
            block = raw[at:at + 2 * n].reshape(n, 2); at += 2 * n
            r = rank[block[:, 0]]; keep = r >= 0
            r = r[keep]; w = 1 + np.log(block[keep, 1].astype(np.float32))
            if len(r) > lim:
                o = np.sort(np.argsort(df[r] * (1.0 / w), kind="stable")[:lim]); r = r[o]; w = w[o]
            I.append(r); W.append(w); ptr[p + 1] = ptr[p] + len(r)
    qi = np.concatenate(qi).astype(np.int32); qw = np.concatenate(qw).astype(np.float32)
    di = np.concatenate(di).astype(np.int32); dw = np.concatenate(dw).astype(np.float32)
    np.savez(cache, lang=lang, kind=kind, qp=qp, qi=qi, qw=qw, dp=dp, di=di, dw=dw)
del raw
rng = np.random.default_rng(a.seed)
P = len(lang)
N2 = 2 * P
idf = np.log(1 + N2 / df)
g = ((idf / idf.mean()) ** a.idf_power).astype(np.float32)
if a.sif > 0:
    g = (a.sif / (a.sif + df / df.sum())).astype(np.float32); g /= g.mean()
want = [meta["kinds"].index(k) for k in a.kinds.split(",")]
ok = np.isin(kind, want) & (np.diff(qp) > 1) & (np.diff(dp) > 2)
if a.name_share < 1:
    ok &= ~((kind == meta["kinds"].index("name")) & (rng.random(P) > a.name_share))
if a.languages:
    ok &= np.isin(lang, [meta["languages"].index(k) for k in a.languages.split(",")])
ids = np.flatnonzero(ok); rng.shuffle(ids)
val, ids = ids[:2000], ids[2000:]
if a.pairs: ids = ids[:a.pairs]
print(f"load {time.time()-t0:.0f}s pairs {len(ids)} vocab {V}", flush=True)

D = a.dim
E = (rng.standard_normal((V, D)) * 0.1).astype(np.float32)
if a.init:
    z = np.load(a.init); E[:] = z["E"]; g[:] = z["g"]
m = np.zeros_like(E); v = np.zeros_like(E)
gm = np.zeros(V, np.float32); gv = np.zeros(V, np.float32)

def ragged(p, ptr, idx, w):
    n = ptr[p + 1] - ptr[p]
    tot = n.sum(); row = np.repeat(np.arange(len(p)), n)
    pos = np.arange(tot) - np.repeat(np.cumsum(n) - n, n) + np.repeat(ptr[p], n)
    return idx[pos], w[pos], row

def encode(i, w, row, B):
    # Rows of one text are neighbours, so a segmented sum does it.
    ww = w * g[i]
    starts = np.flatnonzero(np.r_[True, row[1:] != row[:-1]])
    x = np.add.reduceat(E[i] * ww[:, None], starts, axis=0)
    nr = np.linalg.norm(x, axis=1, keepdims=True) + 1e-6
    return ww, x / nr, nr

def mrr():
    i, w, r = ragged(val, qp, qi, qw); _, q, _ = encode(i, w, r, len(val))
    i, w, r = ragged(val, dp, di, dw); _, d, _ = encode(i, w, r, len(val))
    S = q @ d.T; rk = (S >= np.diag(S)[:, None]).sum(1)
    return (1 / rk).mean(), (rk == 1).mean()

B = a.batch; steps = int(a.epochs * (len(ids) // B)); step = 0; losses = []; done = False
eye = np.eye(B, dtype=np.float32)
while step < steps and not done:
    order = rng.permutation(len(ids))
    if a.hard:
        # A batch of one language: its other members are harder to tell apart than those of a mix.
        order = order[np.argsort(lang[ids[order]], kind="stable")]
        batches = [order[k * B:(k + 1) * B] for k in range(len(ids) // B)]
        batches = [batches[k] for k in rng.permutation(len(batches))]
    else:
        batches = [order[k * B:(k + 1) * B] for k in range(len(ids) // B)]
    for b in batches:
        if step >= steps: break
        p = ids[b]
        i1, w1, r1 = ragged(p, qp, qi, qw); i2, w2, r2 = ragged(p, dp, di, dw)
        ww1, q, nq = encode(i1, w1, r1, B); ww2, d, nd = encode(i2, w2, r2, B)
        S = q @ d.T / a.tau
        e = np.exp(S - S.max(1, keepdims=True)); pr = e / e.sum(1, keepdims=True)
        e = np.exp(S - S.max(0, keepdims=True)); pc = e / e.sum(0, keepdims=True)
        losses.append(-np.log(np.diag(pr) + 1e-9).mean())
        G = (pr + pc - 2 * eye) / (2 * B * a.tau)
        gq = G @ d; gd = G.T @ q
        gq = (gq - (gq * q).sum(1, keepdims=True) * q) / nq
        gd = (gd - (gd * d).sum(1, keepdims=True) * d) / nd
        idx = np.concatenate([i1, i2]); wt = np.concatenate([ww1, ww2]); row = np.concatenate([r1, r2 + B])
        GG = np.concatenate([gq, gd])
        o = np.argsort(idx, kind="stable"); idx, wt, row = idx[o], wt[o], row[o]
        starts = np.flatnonzero(np.r_[True, idx[1:] != idx[:-1]]); u = idx[starts]
        gr = np.add.reduceat(GG[row] * wt[:, None], starts, axis=0)
        step += 1
        frac = step / steps
        lr = a.lr * min(1, step / 50) * max(0.03, 1 - frac)
        c1 = 1 - 0.9 ** min(step, 1000); c2 = 1 - 0.999 ** min(step, 9000)
        mu = 0.9 * m[u] + 0.1 * gr; vu = 0.999 * v[u] + 0.001 * gr * gr
        m[u] = mu; v[u] = vu
        if a.gain:
            dot = np.add.reduceat((GG[row] * E[idx]).sum(1) * (wt / g[idx]), starts)
            gmu = 0.9 * gm[u] + 0.1 * dot; gvu = 0.999 * gv[u] + 0.001 * dot * dot
            gm[u] = gmu; gv[u] = gvu
            g[u] = np.maximum(0.02, g[u] - 0.3 * lr * (gmu / c1) / (np.sqrt(gvu / c2) + 1e-7))
        E[u] -= lr * (mu / c1) / (np.sqrt(vu / c2) + 1e-6)
        if step % 200 == 0:
            el = time.time() - t0
            print(f"step {step}/{steps} loss {np.mean(losses[-200:]):.3f} {el:.0f}s", flush=True)
            if el > a.max_seconds: done = True; print("stopped by time"); break
print(f"end step {step} loss {np.mean(losses[-200:]):.3f} val MRR/acc@1 of 2000: {mrr()} {time.time()-t0:.0f}s", flush=True)
np.savez(a.out, E=E, g=g, df=df)
(E * g[:, None]).astype(np.float32).tofile(a.out + ".f32")
open(a.out + ".vocab", "w", encoding="utf8").write("\n".join(vocab))

/** Where the tokens of a project are: a tree of folders and files, as text, JSON or one self-contained page. */
import type { Store } from "../store/store.ts";

export interface TokenNode {
  readonly name: string;
  readonly path: string;
  tokens: number;
  files: number;
  /** Folders and files, largest first; a file has none. */
  children: TokenNode[];
}

export function tokenTree(store: Store): TokenNode {
  const root: TokenNode = {
    name: store.root.slice(store.root.lastIndexOf("/") + 1),
    path: "",
    tokens: 0,
    files: 0,
    children: [],
  };
  const folders = new Map<string, TokenNode>([["", root]]);
  const folder = (path: string): TokenNode => {
    const known = folders.get(path);
    if (known) return known;
    const cut = path.lastIndexOf("/");
    const node: TokenNode = { name: path.slice(cut + 1), path, tokens: 0, files: 0, children: [] };
    folders.set(path, node);
    folder(cut < 0 ? "" : path.slice(0, cut)).children.push(node);
    return node;
  };
  for (const file of store.files.stored()) {
    const cut = file.path.lastIndexOf("/");
    const dir = cut < 0 ? "" : file.path.slice(0, cut);
    folder(dir).children.push({
      name: file.path.slice(cut + 1),
      path: file.path,
      tokens: file.tokens,
      files: 1,
      children: [],
    });
    for (let at = dir; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const node = folder(at);
      node.tokens += file.tokens;
      node.files++;
      if (at === "") break;
    }
  }
  for (const node of folders.values()) node.children.sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
  return root;
}

export interface TextOptions {
  /** Levels below the root. */
  readonly depth: number;
  /** Entries of one folder before the rest is summed up. */
  readonly top: number;
}

export function tokenMapText(root: TokenNode, options: TextOptions): string {
  const lines = [`${root.name}/  ${format(root.tokens)} tokens in ${format(root.files)} files`];
  const width = format(root.tokens).length;
  const visit = (node: TokenNode, depth: number) => {
    const shown = node.children.slice(0, options.top);
    for (const child of shown) {
      const share = root.tokens > 0 ? ((child.tokens / root.tokens) * 100).toFixed(1) : "0.0";
      const name = child.children.length > 0 ? `${child.name}/` : child.name;
      lines.push(`${format(child.tokens).padStart(width)} ${share.padStart(5)} %  ${"  ".repeat(depth)}${name}`);
      if (depth + 1 < options.depth) visit(child, depth + 1);
    }
    const rest = node.children.slice(options.top);
    if (rest.length === 0) return;
    const tokens = rest.reduce((sum, child) => sum + child.tokens, 0);
    lines.push(`${format(tokens).padStart(width)}          ${"  ".repeat(depth)}... ${rest.length} more`);
  };
  visit(root, 0);
  return `${lines.join("\n")}\n`;
}

function format(value: number): string {
  return value.toLocaleString("en-US");
}

/** A page that needs no network: a treemap to click through. Names of files are data to it, never markup. */
export function tokenMapPage(root: TokenNode): string {
  const data = JSON.stringify(compact(root)).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Token map</title>
<style>
:root{color-scheme:light dark}body{margin:0;font:14px system-ui,sans-serif}
header{padding:8px 12px;display:flex;gap:12px;flex-wrap:wrap;align-items:baseline}
nav button{font:inherit;border:0;background:none;color:inherit;text-decoration:underline;cursor:pointer;padding:0 2px}
#map{position:relative;height:calc(100vh - 50px);margin:0 12px}
#map button{position:absolute;overflow:hidden;box-sizing:border-box;border:1px solid Canvas;font:12px system-ui;
text-align:left;padding:2px 4px;color:#111;cursor:pointer;white-space:nowrap;text-overflow:ellipsis}
#map button:focus-visible{outline:3px solid Highlight;z-index:1}
</style></head><body>
<header><strong>Token map</strong><nav id="trail" aria-label="Folder"></nav><span id="sum"></span></header>
<main id="map"></main>
<script>
const tree = ${data};
const map = document.getElementById("map"), trail = document.getElementById("trail"), sum = document.getElementById("sum");
let way = [tree];
const number = (n) => n.toLocaleString("en-US");
function layOut(nodes, x, y, w, h, place) {
  const total = nodes.reduce((s, n) => s + n[1], 0);
  if (nodes.length === 0 || total === 0) return;
  if (nodes.length === 1) return place(nodes[0], x, y, w, h);
  let cut = 0, part = 0;
  do part += nodes[cut++][1]; while (cut < nodes.length - 1 && part + nodes[cut][1] / 2 < total / 2);
  const share = part / total, first = nodes.slice(0, cut), rest = nodes.slice(cut);
  if (w > h) { layOut(first, x, y, w * share, h, place); layOut(rest, x + w * share, y, w * (1 - share), h, place); }
  else { layOut(first, x, y, w, h * share, place); layOut(rest, x, y + h * share, w, h * (1 - share), place); }
}
function hue(text) { let h = 0; for (const c of text) h = (h * 31 + c.charCodeAt(0)) % 360; return h; }
function draw() {
  const here = way[way.length - 1];
  map.replaceChildren(); trail.replaceChildren();
  way.forEach((node, i) => {
    const b = document.createElement("button");
    b.textContent = node[0] + "/"; b.onclick = () => { way = way.slice(0, i + 1); draw(); };
    trail.append(b);
  });
  sum.textContent = number(here[1]) + " tokens in " + number(here[2]) + " files";
  layOut(here[3].filter((n) => n[1] > 0), 0, 0, map.clientWidth, map.clientHeight, (node, x, y, w, h) => {
    const b = document.createElement("button");
    b.style.cssText = "left:" + x + "px;top:" + y + "px;width:" + w + "px;height:" + h + "px;background:hsl(" + hue(node[0]) + " 55% 75%)";
    const label = node[0] + (node[3].length ? "/" : "") + "  " + number(node[1]);
    b.title = label; b.setAttribute("aria-label", label);
    if (w > 40 && h > 14) b.textContent = label;
    if (node[3].length) b.onclick = () => { way.push(node); draw(); };
    map.append(b);
  });
}
addEventListener("resize", draw); draw();
</script></body></html>
`;
}

type Compact = [name: string, tokens: number, files: number, children: Compact[]];

function compact(node: TokenNode): Compact {
  return [node.name, node.tokens, node.files, node.children.map(compact)];
}

/**
 * A release server on loopback, well-behaved or not: it speaks the mirror layout (`latest.json`, `tags/TAG.json`,
 * `download/TAG/ASSET`) and keeps what it was asked, headers included.
 */
import { assetName, FORMS, type Form } from "../../src/update/asset.ts";
import { CHECKSUMS } from "../../src/update/source.ts";

export type Fault =
  | "none"
  | "tampered asset"
  | "tampered list"
  | "truncated"
  | "asset missing"
  | "list missing"
  | "not listed"
  | "redirect api"
  | "redirect to plain http"
  | "api nonsense"
  | "api huge"
  | "server error";

export interface Asked {
  readonly path: string;
  readonly authorization: string | null;
}

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

export class ReleaseServer implements Disposable {
  fault: Fault = "none";
  asked: Asked[] = [];
  private readonly releases = new Map<string, Map<Form, Uint8Array>>();
  private latest = "";
  private readonly server: ReturnType<typeof Bun.serve>;

  constructor() {
    this.server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.answer(request) });
  }

  get mirror(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Publishes a program in `forms`; the newest published is `latest`. */
  publish(tag: string, program: Uint8Array, forms: readonly Form[] = FORMS): this {
    const packed = (form: Form): Uint8Array =>
      form === "gz" ? Bun.gzipSync(new Uint8Array(program), { level: 1 }) : Bun.zstdCompressSync(program, { level: 1 });
    this.releases.set(tag, new Map(forms.map((form) => [form, packed(form)])));
    this.latest = tag;
    return this;
  }

  archiveOf(tag: string, form: Form = "gz"): Uint8Array {
    const archive = this.releases.get(tag)?.get(form);
    if (!archive) throw new Error(`no release ${tag} as ${form}`);
    return archive;
  }

  listOf(tag: string): string {
    const lines = this.formsOf(tag).map((form) => `${sha256(this.archiveOf(tag, form))}  ${assetName(form)}\n`);
    return `${"0".repeat(64)}  some-other-asset.gz\n${lines.join("")}`;
  }

  private formsOf(tag: string): Form[] {
    return [...(this.releases.get(tag)?.keys() ?? [])];
  }

  private answer(request: Request): Response | Promise<Response> {
    const { pathname } = new URL(request.url);
    this.asked.push({ path: pathname, authorization: request.headers.get("authorization") });
    const api = /^\/(?:latest|tags\/([^/]+))\.json$/.exec(pathname);
    if (api) return this.answerApi(api[1] ? decodeURIComponent(api[1]) : this.latest);
    const download = /^\/download\/([^/]+)\/(.+)$/.exec(pathname);
    const tag = decodeURIComponent(download?.[1] ?? "");
    if (!download || !this.releases.has(tag)) return new Response("no such release", { status: 404 });
    return download[2] === CHECKSUMS ? this.answerList(tag) : this.answerAsset(tag, download[2] ?? "");
  }

  private answerApi(tag: string): Response {
    if (this.fault === "server error") return new Response("down", { status: 503 });
    if (this.fault === "redirect api")
      return new Response(null, { status: 302, headers: { location: `${this.mirror}/elsewhere` } });
    if (this.fault === "api nonsense") return Response.json({ tag_name: "../../etc", assets: "none" });
    if (this.fault === "api huge") return new Response("x".repeat(3_000_000));
    if (!this.releases.has(tag)) return new Response("no such release", { status: 404 });
    return Response.json({
      tag_name: tag,
      assets: [
        ...this.formsOf(tag).map((form) => ({
          name: assetName(form),
          digest: `sha256:${sha256(this.archiveOf(tag, form))}`,
        })),
        { name: CHECKSUMS, digest: `sha256:${sha256(new TextEncoder().encode(this.listOf(tag)))}` },
      ],
    });
  }

  private answerList(tag: string): Response {
    if (this.fault === "list missing") return new Response("", { status: 404 });
    if (this.fault === "not listed") return new Response(`${"0".repeat(64)}  some-other-asset.gz\n`);
    if (this.fault === "tampered list")
      return new Response(FORMS.map((form) => `${"a".repeat(64)}  ${assetName(form)}\n`).join(""));
    return new Response(this.listOf(tag));
  }

  private answerAsset(tag: string, name: string): Response {
    const form = this.formsOf(tag).find((one) => name === assetName(one));
    if (!form || this.fault === "asset missing") return new Response("", { status: 404 });
    const archive = this.archiveOf(tag, form);
    if (this.fault === "redirect to plain http")
      return new Response(null, { status: 302, headers: { location: "http://example.invalid/asset" } });
    if (this.fault === "tampered asset")
      return new Response(archive.map((byte, i) => (i === archive.length - 20 ? byte ^ 1 : byte)));
    if (this.fault === "truncated") return new Response(archive.slice(0, Math.floor(archive.length / 2)));
    return new Response(archive.slice());
  }

  [Symbol.dispose](): void {
    this.server.stop(true);
  }
}

/**
 * The requests of an update. A token goes only to the release API, whose request follows no redirect. Assets and their
 * checksums are fetched without credentials, over HTTPS at every hop, within a bound of size and time.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { ofetch } from "ofetch";
import { messageOf, UserError } from "../platform/errors.ts";
import type { Environment } from "../platform/paths.ts";
import { isSafeAddress, type ReleaseSource } from "./source.ts";
import { parseVersion } from "./version.ts";

export interface ReleaseAsset {
  readonly name: string;
  /** SHA-256 as the API tells it; absent on mirrors and old releases. */
  readonly sha256: string | undefined;
}

export interface Release {
  readonly tag: string;
  readonly assets: readonly ReleaseAsset[];
}

const API_TIMEOUT_MS = 10_000;
const ASSET_TIMEOUT_MS = 600_000;
const MAX_HOPS = 5;
const MAX_TEXT_BYTES = 1_000_000;
const MAX_ASSET_BYTES = 400_000_000;

/** @throws UserError when the API can't be reached or does not answer with a release. */
export async function fetchRelease(
  source: ReleaseSource,
  tag: string | undefined,
  env: Environment = process.env,
): Promise<Release> {
  const token = source.isMirror ? undefined : env["TOKENIX_GITHUB_TOKEN"] || env["GITHUB_TOKEN"] || undefined;
  const url = source.apiUrl(tag);
  const response = await ofetch
    .raw<ReadableStream<Uint8Array>, "stream">(url, {
      responseType: "stream",
      redirect: "manual",
      retry: 0,
      timeout: API_TIMEOUT_MS,
      ignoreResponseError: true,
      headers: {
        accept: "application/vnd.github+json",
        "user-agent": "tokenix",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    })
    .catch((error: unknown) => {
      throw new UserError(
        `the release server could not be reached (${messageOf(error)})`,
        "nothing was changed; try again later",
      );
    });
  if (response.status >= 300 && response.status < 400)
    throw new UserError("the release server answered with a redirect, which is not followed", "nothing was changed");
  if (response.status === 404)
    throw new UserError(tag ? `there is no release '${tag}'` : "there is no release yet", "nothing was changed");
  if (response.status !== 200)
    throw new UserError(`the release server answered ${response.status}`, "nothing was changed; try again later");
  return parseRelease(new TextDecoder().decode(await readBounded(response._data, MAX_TEXT_BYTES)));
}

function parseRelease(text: string): Release {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UserError("the release server's answer is not JSON", "nothing was changed");
  }
  const { tag_name: tag, assets } = (value ?? {}) as { tag_name?: unknown; assets?: unknown };
  if (typeof tag !== "string" || !parseVersion(tag) || !Array.isArray(assets))
    throw new UserError("the release server's answer names no release", "nothing was changed");
  return {
    tag,
    assets: assets.slice(0, 200).flatMap((one: { name?: unknown; digest?: unknown } | null) => {
      if (typeof one?.name !== "string") return [];
      const sha256 = typeof one.digest === "string" ? /^sha256:([0-9a-f]{64})$/.exec(one.digest)?.[1] : undefined;
      return [{ name: one.name, sha256 }];
    }),
  };
}

/** A small text asset (the checksums). */
export async function fetchText(url: string): Promise<string> {
  const response = await openAsset(url, API_TIMEOUT_MS);
  return new TextDecoder().decode(await readBounded(response, MAX_TEXT_BYTES));
}

/** Streams an asset into a file and gives its SHA-256. The file may be half on a throw: its owner removes it. */
export async function fetchToFile(url: string, path: string, onProgress?: (received: number) => void): Promise<string> {
  const stream = await openAsset(url, ASSET_TIMEOUT_MS);
  const hash = new Bun.CryptoHasher("sha256");
  const out = openSync(path, "wx", 0o600);
  let received = 0;
  try {
    for await (const bytes of stream) {
      received += bytes.length;
      if (received > MAX_ASSET_BYTES) throw new UserError(`${url} is larger than any release`, "nothing was changed");
      hash.update(bytes);
      let written = 0;
      while (written < bytes.length) written += writeSync(out, bytes, written);
      onProgress?.(received);
    }
  } catch (error) {
    if (error instanceof UserError || (error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    throw new UserError(
      `the download broke off after ${received} bytes (${messageOf(error)})`,
      "nothing was changed; try again",
    );
  } finally {
    closeSync(out);
  }
  return hash.digest("hex");
}

async function openAsset(address: string, timeoutMs: number): Promise<ReadableStream<Uint8Array>> {
  let url = address;
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    if (!isSafeAddress(url)) throw new UserError(`'${url}' is not HTTPS`, "nothing was changed");
    const response = await ofetch
      .raw<ReadableStream<Uint8Array>, "stream">(url, {
        responseType: "stream",
        redirect: "manual",
        retry: 0,
        timeout: timeoutMs,
        ignoreResponseError: true,
        headers: { "user-agent": "tokenix" },
      })
      .catch((error: unknown) => {
        throw new UserError(
          `${address} could not be fetched (${messageOf(error)})`,
          "nothing was changed; try again later",
        );
      });
    if (response.status === 200 && response._data) return response._data;
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || !location)
      throw new UserError(`${address} answered ${response.status}`, "nothing was changed");
    const next = new URL(location, url);
    // A redirect must not lead from the network to a service of this machine, nor down to plain HTTP.
    if (url.startsWith("https:") && next.protocol !== "https:")
      throw new UserError(`${address} redirects to '${next.protocol}//', which is not HTTPS`, "nothing was changed");
    url = next.href;
  }
  throw new UserError(`${address} redirects without end`, "nothing was changed");
}

async function readBounded(stream: ReadableStream<Uint8Array> | undefined, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  if (stream)
    for await (const part of stream) {
      total += part.length;
      if (total > maxBytes)
        throw new UserError("the release server sent more than a release needs", "nothing was changed");
      parts.push(part);
    }
  return Buffer.concat(parts);
}

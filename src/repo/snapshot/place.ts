/**
 * Where a snapshot lies: a local file, an HTTPS address, or an object in a bucket (`s3://bucket/key`, with the
 * credentials of the environment, by Bun's own client). Whatever comes in is bounded.
 */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf, UserError } from "../../platform/errors.ts";
import type { Environment } from "../../platform/paths.ts";

export type Place =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly key: string };

/** Far above the index of any repository that was met; a larger answer is an attack or a mistake. */
const MAX_SNAPSHOT_BYTES = 4_000_000_000;

/** @throws UserError for an address that is neither HTTPS nor on this machine. */
export function parsePlace(text: string): Place {
  const s3 = /^s3:\/\/([^/]+)\/(.+)$/.exec(text);
  if (s3) return { kind: "s3", bucket: s3[1] ?? "", key: s3[2] ?? "" };
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { kind: "file", path: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url?.protocol === "http:" && /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
  if (!url || (url.protocol !== "https:" && !local))
    throw new UserError(`'${text}' can't be a snapshot's place`, "a file, an https:// address, or s3://bucket/key");
  return { kind: "url", url: url.href };
}

export function describePlace(place: Place): string {
  if (place.kind === "file") return place.path;
  return place.kind === "s3"
    ? `s3://${place.bucket}/${place.key}`
    : new URL(place.url).origin + new URL(place.url).pathname;
}

const CREDENTIALS =
  "set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY (or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY); where needed also S3_SESSION_TOKEN, S3_REGION, S3_ENDPOINT (or AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL)";

/** @throws UserError that names the variables which are read. */
function s3File(place: Extract<Place, { kind: "s3" }>, env: Environment) {
  const either = (a: string, b: string): string | undefined => env[a] || env[b] || undefined;
  const options = {
    accessKeyId: either("S3_ACCESS_KEY_ID", "AWS_ACCESS_KEY_ID"),
    secretAccessKey: either("S3_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY"),
    sessionToken: either("S3_SESSION_TOKEN", "AWS_SESSION_TOKEN"),
    region: either("S3_REGION", "AWS_REGION"),
    endpoint: either("S3_ENDPOINT", "AWS_ENDPOINT_URL"),
  };
  if (options.accessKeyId === undefined || options.secretAccessKey === undefined)
    throw new UserError(`there are no credentials for ${describePlace(place)} in the environment`, CREDENTIALS);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return new Bun.S3Client({ bucket: place.bucket, ...given }).file(place.key);
}

export function refuseAirgap(place: Place, env: Environment): void {
  if (place.kind !== "file" && /^(?:1|true|yes)$/i.test(env["TOKENIX_AIRGAP"] ?? ""))
    throw new UserError("air-gap mode forbids the network", "carry the snapshot over as a file");
}

/** Copies the snapshot at `place` into a local file. */
export async function receive(
  place: Exclude<Place, { kind: "file" }>,
  target: string,
  env: Environment,
): Promise<void> {
  refuseAirgap(place, env);
  try {
    const stream = place.kind === "s3" ? s3File(place, env).stream() : await openUrl(place.url);
    let total = 0;
    const bounded = async function* () {
      for await (const part of stream as AsyncIterable<Uint8Array>) {
        total += part.length;
        if (total > MAX_SNAPSHOT_BYTES)
          throw new UserError("the snapshot is larger than any index", "nothing was imported");
        yield part;
      }
    };
    await pipeline(Readable.from(bounded()), createWriteStream(target, { mode: 0o600 }));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `the snapshot could not be fetched from ${describePlace(place)} (${messageOf(error)})`,
      place.kind === "s3" ? `nothing was imported; ${CREDENTIALS}` : "nothing was imported",
    );
  }
}

async function openUrl(url: string): Promise<ReadableStream<Uint8Array>> {
  const { ofetch } = await import("ofetch");
  const response = await ofetch.raw<ReadableStream<Uint8Array>, "stream">(url, {
    responseType: "stream",
    redirect: "manual",
    retry: 1,
    timeout: 600_000,
    ignoreResponseError: true,
  });
  if (response.status !== 200 || !response._data)
    throw new UserError(`${new URL(url).host} answered ${response.status}`, "nothing was imported");
  return response._data;
}

/** Sends a local file to `place`. */
export async function send(source: string, place: Extract<Place, { kind: "s3" }>, env: Environment): Promise<void> {
  refuseAirgap(place, env);
  try {
    await s3File(place, env).write(Bun.file(source), { type: "application/gzip" });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `the snapshot could not be written to ${describePlace(place)} (${messageOf(error)})`,
      CREDENTIALS,
    );
  }
}

import { describe, expect, test } from "bun:test";
import { holdsCredential, REDACTED, redactCredentials } from "../../src/platform/redact.ts";

/** Put together at run time, so that no scanner takes this file for a leak. */
const random = (length: number): string => {
  let text = "";
  for (let i = 0; i < length; i++) text += "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC"[(i * 7 + 3) % 32];
  return text;
};

const SECRETS: Readonly<Record<string, string>> = {
  "an AWS key id": `AKIA${"ABCDEFGH23456723"}`,
  "a GitHub token": `ghp_${random(36)}`,
  "a fine-grained GitHub token": `github_pat_${random(22)}_${random(59)}`,
  "a GitLab token": `glpat-${random(20)}`,
  "a Slack token": `xoxb-123456789012-${random(24)}`,
  "an Anthropic key": `sk-ant-api03-${random(40)}`,
  "an OpenAI key": `sk-proj-${random(48)}`,
  "a Google key": `AIza${random(35)}`,
  "a Stripe key": `sk_live_${random(24)}`,
  "an npm token": `npm_${random(36)}`,
  "a PyPI token": `pypi-${random(60)}`,
  "a Hugging Face token": `hf_${random(34)}`,
  "a JSON web token": `eyJ${random(20)}.eyJ${random(40)}.${random(43)}`,
};

describe("a known kind of credential is masked wherever it stands", () => {
  for (const [kind, secret] of Object.entries(SECRETS))
    test(kind, () => {
      for (const around of [`x ${secret} y`, `"${secret}"`, `key=${secret}`, `line one\n${secret}\nline three`]) {
        const masked = redactCredentials(around);
        expect(masked).not.toContain(secret);
        expect(masked).toContain(REDACTED);
      }
      expect(holdsCredential(secret)).toBe(true);
    });

  test("a private key block keeps its markers and loses its body", () => {
    const body = `${random(64)}\n${random(64)}`;
    const text = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----\nafter`;
    const masked = redactCredentials(text);
    expect(masked).not.toContain(random(64));
    expect(masked).toContain("-----END RSA PRIVATE KEY-----\nafter");
  });

  test("a truncated private key is masked to its end", () => {
    expect(redactCredentials(`-----BEGIN PRIVATE KEY-----\n${random(64)}`)).not.toContain(random(64));
  });

  test("names stay readable beside the mask", () => {
    const value = random(24);
    expect(redactCredentials(`DB_PASSWORD=${value}`)).toBe(`DB_PASSWORD=${REDACTED}`);
    expect(redactCredentials(`"client_secret": "${value}"`)).toBe(`"client_secret": "${REDACTED}"`);
    expect(redactCredentials(`Authorization: Bearer ${value}`)).toBe(`Authorization: Bearer ${REDACTED}`);
    expect(redactCredentials(`postgres://app:${value}@db:5432/x`)).toBe(`postgres://app:${REDACTED}@db:5432/x`);
    expect(redactCredentials(`mysql --password=${value} -h db`)).toBe(`mysql --password=${REDACTED} -h db`);
  });

  test("masking twice changes nothing more", () => {
    const once = redactCredentials(`token=${random(30)} and ghp_${random(36)}`);
    expect(redactCredentials(once)).toBe(once);
  });
});

describe("what is not a credential stays", () => {
  for (const text of [
    "token_count = 12",
    "password: ${DB_PASSWORD}",
    "const apiKey = process.env.API_KEY",
    "secret = config.get_secret(name)",
    "--token <your-token>",
    "error: unexpected token '}' at src/a.ts:12:5",
    "commit 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b",
    "https://example.test/path?page=2",
    "the password field is required",
    "tokens: 1234567890",
    "auth_token: string",
  ])
    test(text, () => expect(redactCredentials(text)).toBe(text));
});

test("a hostile megabyte costs no more than a plain one by a small factor", () => {
  // Counts work, not time: the masked text of a long run of name characters comes back unchanged and whole.
  const hostile = `${"token".repeat(200_000)}=`;
  expect(redactCredentials(hostile).length).toBe(hostile.length);
});

import { describe, expect, test } from "bun:test";
import { holdsCredential, REDACTED, redactCredentials } from "../../src/platform/redact.ts";

/** Put together at run time, so that no scanner takes this file for a leak. */
const random = (length: number): string => {
  let text = "";
  for (let i = 0; i < length; i++) text += "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC"[(i * 7 + 3) % 32];
  return text;
};
const hex = (length: number): string => {
  let text = "";
  for (let i = 0; i < length; i++) text += "0a1b2c3d4e5f6789"[(i * 7 + 3) % 16];
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
  "a Shopify token": `shpat_${hex(32)}`,
  "a Docker token": `dckr_pat_${random(27)}`,
  "an Atlassian token": `ATATT3${random(60)}`,
  "a Sentry token": `sntrys_${random(60)}`,
  "a Doppler token": `dp.pt.${random(43)}`,
  "a Pulumi token": `pul-${hex(40)}`,
  "a Figma token": `figd_${random(40)}`,
  "a Notion token": `ntn_${random(46)}`,
  "a Groq key": `gsk_${random(52)}`,
  "an xAI key": `xai-${random(80)}`,
  "a Tailscale key": `tskey-auth-${random(12)}-${random(30)}`,
  "a Supabase token": `sbp_${hex(40)}`,
  "a PlanetScale password": `pscale_pw_${random(43)}`,
  "a Terraform token": `${random(14)}.atlasv1.${random(60)}`,
  "a RubyGems key": `rubygems_${hex(48)}`,
  "a Square token": `sq0atp-${random(22)}`,
  "an Artifactory key": `AKCp8${random(68)}`,
  "a Linear key": `lin_api_${random(40)}`,
  "a Mailgun key": `key-${hex(32)}`,
  "a Fly token": `fm2_${random(60)}`,
  "a crates.io token": `cio${random(32)}`,
  "a Grafana token": `glsa_${random(32)}_${hex(8)}`,
  "a Telegram bot": `123456789:AA${random(33)}`,
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

  test("a credential is masked in every place where tools write one", () => {
    const value = random(24);
    for (const text of [
      `curl -u user:${value} https://x`,
      `curl -sS --user "user:${value}" https://x`,
      `mysql -h db -p${value} shop`,
      `sshpass -p ${value} ssh h`,
      `machine x login y password ${value}`,
      `{"auths":{"r":{"auth": "${value}="}}}`,
      `//registry.test/:_auth=${value}`,
      `https://discord.test/api/webhooks/191465186036341241/${value}${value}`,
      `https://a.test/c?sv=2020&sig=${value}${value}%3D`,
      `Set-Cookie: session=${value}; Path=/; HttpOnly`,
      `Cookie: theme=dark; sid=${value}`,
      `define('DB_PASSWORD', '${value}')`,
      `encryption_key: ${value}`,
      `Authorization: SSWS ${value}`,
      // In a shell's quotes inside quotes, and in JSON inside JSON.
      `sh -c 'SECRET_KEY='\\''${value}'\\'''`,
      `curl -d "{\\"password\\": \\"${value}\\"}" x`,
      `{"a":"{\\"token\\":\\"${value}\\"}"}`,
    ]) {
      const masked = redactCredentials(text);
      expect(masked).toContain(REDACTED);
      expect(masked).not.toContain(value);
    }
    expect(redactCredentials(`twilio SK${hex(32)}`)).toBe(`twilio ${REDACTED}`);
    expect(redactCredentials(`Set-Cookie: session=${value}; Path=/; HttpOnly`)).toBe(
      `Set-Cookie: session=${REDACTED}; Path=/; HttpOnly`,
    );
  });

  test("each name that tells of a secret is enough by itself", () => {
    const value = random(24);
    for (const name of [
      "secret,passwd,password,passphrase,pwd,token,api_key,api-key,apikey,access_key,access-key,accesskey",
      "private_key,private-key,privatekey,client_secret,credential,credentials,auth_key,auth-key,authkey",
      "encryption_key,encryptionkey,signing-key,master_key",
    ].flatMap((names) => names.split(",")))
      expect(redactCredentials(`${name}=${value}`)).toBe(`${name}=${REDACTED}`);
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
    "docker run -u 1000:1000 image",
    "curl -u $USER:$PASS https://x",
    "mysql --port 3306 -P 3306 -p",
    "cookie: a small file that a site keeps",
    "the monkey-banana key-value store of precious things",
    "sort --key-by=name",
    'translate("SIGN_IN_TOKEN", "please sign in")',
    'auth: "none"',
  ])
    test(text, () => expect(redactCredentials(text)).toBe(text));
});

test("a hostile megabyte costs no more than a plain one by a small factor", () => {
  // Counts work, not time: the masked text of a long run of name characters comes back unchanged and whole.
  const hostile = `${"token".repeat(200_000)}=`;
  expect(redactCredentials(hostile).length).toBe(hostile.length);
});

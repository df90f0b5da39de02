/**
 * The one credential masker. Everything that is written down (hook log, failure tee, recordings, memory,
 * reports) goes through it; a new rule here reaches every writer at once.
 *
 * Precision first where a rule has a fixed prefix; the `key = value` rules need a telling name *and* a value
 * that looks like a secret, so that `token_count = 12` and `password: ${PASSWORD}` stay readable.
 * Every pattern is free of nested repetition: a hostile line of 1 MB costs milliseconds.
 */
export const REDACTED = "[REDACTED]";

interface Rule {
  readonly id: string;
  /** A cheap test on the lower-cased text; the pattern only runs where one of these occurs. */
  readonly hints: readonly string[];
  /** Made where a hint was found: to make all of them costs a hook more than its line in the log. */
  readonly pattern: () => RegExp;
  /** What stays in front of the mask (`$1`), when the rule keeps its name readable. */
  readonly keep?: boolean;
  readonly accept?: (secret: string) => boolean;
}

const RULES: readonly Rule[] = [
  {
    id: "private-key",
    hints: ["private key"],
    pattern: () => /(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)[\s\S]{0,20000}?(?=-----END |$(?![\s\S]))/g,
    keep: true,
  },
  {
    id: "aws-access-key-id",
    hints: ["akia", "asia", "abia", "acca"],
    pattern: () => /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g,
  },
  {
    id: "github-token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    pattern: () => /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  },
  { id: "github-fine-grained", hints: ["github_pat_"], pattern: () => /\bgithub_pat_[A-Za-z0-9_]{60,255}\b/g },
  {
    id: "gitlab-token",
    hints: ["glpat-", "gldt-", "glrt-", "glcbt-"],
    pattern: () => /\bgl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{20,64}/g,
  },
  {
    id: "slack-token",
    hints: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-"],
    pattern: () => /\bx(?:ox[bpars]|app)-[A-Za-z0-9-]{10,250}/g,
  },
  {
    id: "slack-webhook",
    hints: ["hooks.slack.com"],
    pattern: () => /(hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/+_-]{20,120}/g,
    keep: true,
  },
  { id: "anthropic-key", hints: ["sk-ant-"], pattern: () => /\bsk-ant-[A-Za-z0-9_-]{20,250}/g },
  {
    id: "openai-key",
    hints: ["sk-"],
    pattern: () => /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,250}/g,
    accept: hasDigitAndLetter,
  },
  { id: "google-api-key", hints: ["aiza"], pattern: () => /\bAIza[A-Za-z0-9_-]{35}\b/g },
  { id: "google-oauth-secret", hints: ["gocspx-"], pattern: () => /\bGOCSPX-[A-Za-z0-9_-]{28}\b/g },
  { id: "google-oauth-token", hints: ["ya29."], pattern: () => /\bya29\.[A-Za-z0-9_-]{20,500}/g },
  {
    id: "stripe-key",
    hints: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    pattern: () => /\b(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,250}\b/g,
  },
  { id: "npm-token", hints: ["npm_"], pattern: () => /\bnpm_[A-Za-z0-9]{36}\b/g },
  { id: "pypi-token", hints: ["pypi-"], pattern: () => /\bpypi-[A-Za-z0-9_-]{50,250}/g },
  { id: "huggingface-token", hints: ["hf_"], pattern: () => /\bhf_[A-Za-z0-9]{30,60}\b/g },
  { id: "sendgrid-key", hints: ["sg."], pattern: () => /\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/g },
  { id: "digitalocean-token", hints: ["dop_v1_", "doo_v1_", "dor_v1_"], pattern: () => /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { id: "vault-token", hints: ["hvs.", "hvb."], pattern: () => /\bhv[sb]\.[A-Za-z0-9_-]{24,250}/g },
  { id: "databricks-token", hints: ["dapi"], pattern: () => /\bdapi[a-f0-9]{32}\b/g },
  { id: "age-secret-key", hints: ["age-secret-key-"], pattern: () => /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g },
  {
    id: "azure-storage-key",
    hints: ["accountkey="],
    pattern: () => /(AccountKey=)[A-Za-z0-9+/]{60,100}={0,2}/g,
    keep: true,
  },
  {
    id: "json-web-token",
    hints: ["eyj"],
    pattern: () => /\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,1000}/g,
  },
  {
    // Kinds whose beginning tells them apart from any other word.
    id: "service-token",
    hints: [
      "shpat_",
      "shpca_",
      "shpss_",
      "shppa_",
      "dckr_pat_",
      "dckr_oat_",
      "nrak-",
      "atatt3",
      "atctt3",
      "sntrys_",
      "sntryu_",
      "dp.pt.",
      "dp.st.",
      "dp.ct.",
      "dp.sa.",
      "pul-",
      "figd_",
      "ntn_",
      "gsk_",
      "xai-",
      "tskey-",
      "sbp_",
      "pscale_",
      "atlasv1.",
      "rubygems_",
      "sq0atp-",
      "sq0csp-",
      "akcp",
      "lin_api_",
      "key-",
      "fm2_",
      "cio",
      "glsa_",
      "pmak-",
      "dt0c01.",
      "nvapi-",
      "r8_",
    ],
    pattern: () =>
      /\b(?:shp(?:at|ca|ss|pa)_[a-fA-F0-9]{32}|dckr_[po]at_[A-Za-z0-9_-]{20,64}|NRAK-[A-Z0-9]{27}|AT[AC]TT3[A-Za-z0-9_=-]{30,250}|sntry[su]_[A-Za-z0-9_=+/-]{30,300}|dp\.(?:pt|ct|sa|st(?:\.[a-z0-9_-]{1,40})?)\.[A-Za-z0-9]{40,50}|pul-[a-f0-9]{40}|figd_[A-Za-z0-9_-]{38,60}|ntn_[A-Za-z0-9]{40,60}|gsk_[A-Za-z0-9]{48,60}|xai-[A-Za-z0-9]{70,100}|tskey-[a-z]{2,12}-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,60}|sbp_[a-f0-9]{40}|pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.-]{32,64}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}|rubygems_[a-f0-9]{48}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,50}|AKCp[A-Za-z0-9]{60,80}|lin_api_[A-Za-z0-9]{40}|key-[a-f0-9]{32}|fm2_[A-Za-z0-9+/=_-]{40,2000}|cio[A-Za-z0-9]{32}|glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|nvapi-[A-Za-z0-9_-]{60,80}|r8_[A-Za-z0-9]{37})(?![A-Za-z0-9])/g,
    accept: hasDigitAndLetter,
  },
  { id: "twilio-key", hints: ["twilio"], pattern: () => /\bSK[a-f0-9]{32}\b/g },
  { id: "telegram-bot", hints: [":aa"], pattern: () => /\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g },
  {
    id: "discord-webhook",
    hints: ["/api/webhooks/"],
    pattern: () => /(\/api\/webhooks\/[0-9]{10,25}\/)[A-Za-z0-9_-]{30,100}/g,
    keep: true,
  },
  {
    id: "signed-address",
    hints: ["sig=", "signature=", "-security-token="],
    pattern: () =>
      /((?:[?&;,\s]|\b)(?:sig|(?:x-(?:amz|goog)-)?signature|x-amz-security-token)=)[A-Za-z0-9%+/_=-]{30,2000}/gi,
    keep: true,
    accept: hasDigitAndLetter,
  },
  {
    id: "cookie",
    hints: ["cookie"],
    pattern: () => /(\bset-cookie[\\"']{0,3}\s{0,3}[:=]\s{0,3}[\\"']{0,3}[\w.-]{1,60}=)[^\s;"',\\]{12,4000}/gi,
    keep: true,
    accept: hasDigitAndLetter,
  },
  {
    id: "cookies-sent",
    hints: ["cookie"],
    pattern: () => /((?<![\w-])cookie[\\"']{0,3}\s{0,3}:\s{0,3}[\\"']{0,3})[\w.-]{1,60}=[^\r\n"'\\]{12,4000}/gi,
    keep: true,
    accept: hasDigitAndLetter,
  },
  {
    id: "registry-login",
    hints: ["auth"],
    pattern: () => /((?:\b_auth|[\\"']auth)[\\"']{0,3}\s{0,3}[:=]\s{0,3}[\\"']{0,3})[A-Za-z0-9+/]{12,2000}={0,2}/g,
    keep: true,
    accept: hasDigitAndLetter,
  },
  {
    id: "login-file",
    hints: ["machine"],
    pattern: () => /(\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8})[^\s"'\\]{3,500}/g,
    keep: true,
    accept: notPlaceholder,
  },
  {
    id: "login-option",
    hints: ["curl", "wget"],
    pattern: () =>
      /(\b(?:curl|wget)\b[^\n]{0,500}?\s(?:-u|--user|--proxy-user)[ =]?[\\"']{0,3}[^\s:"'\\]{1,80}:)[^\s"'\\]{3,200}/g,
    keep: true,
    accept: notPlaceholder,
  },
  {
    id: "short-password-option",
    hints: ["mysql", "mariadb", "sshpass"],
    pattern: () =>
      /(\b(?:(?:mysql|mariadb)[a-z-]{0,12}\b[^\n|;]{0,300}?\s-p|sshpass\s{1,3}-p\s{0,3})[\\"']{0,3})[^\s"'\\]{3,200}/g,
    keep: true,
    accept: notPlaceholder,
  },
  {
    id: "defined-secret",
    hints: ["_key", "_salt", "password", "secret", "token"],
    pattern: () =>
      /(["'][A-Z0-9_]{0,40}(?:SECRET|PASSWORD|TOKEN|_KEY|_SALT)[A-Z0-9_]{0,20}["']\s{0,3},\s{0,3}["'])[^\s"'\\]{8,500}/g,
    keep: true,
    accept: looksSecret,
  },
  {
    id: "authorization-header",
    hints: ["bearer ", "basic ", "token ", "ssws "],
    pattern: () =>
      /(\b(?:authorization|proxy-authorization)[\\"']{0,3}\s{0,3}[:=]\s{0,3}[\\"']{0,3}(?:bearer|basic|token|ssws)\s{1,3})[A-Za-z0-9._~+/=-]{8,4000}/gi,
    keep: true,
  },
  {
    id: "bearer",
    hints: ["bearer "],
    pattern: () => /(\bbearer\s{1,3})[A-Za-z0-9._~+/=-]{20,4000}/gi,
    keep: true,
    accept: hasDigitAndLetter,
  },
  {
    id: "url-password",
    hints: ["://"],
    pattern: () => /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"]{0,120}:)[^\s/@'"]{1,200}(?=@)/gi,
    keep: true,
    accept: notPlaceholder,
  },
  {
    id: "named-secret",
    hints: [
      "secret",
      "passw",
      "passp",
      "pwd",
      "token",
      "api_key",
      "apikey",
      "api-key",
      "access_key",
      "accesskey",
      "access-key",
      "private_key",
      "privatekey",
      "private-key",
      "encryption",
      "signing",
      "master",
      "credential",
      "auth",
    ],
    pattern: () =>
      /(\b[A-Za-z0-9_.-]{0,40}(?:secret|passwd|password|passphrase|pwd|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret|(?:encryption|signing|master|auth)[_-]?key|credentials?)[A-Za-z0-9_]{0,20}[\\"']{0,3}\s{0,3}(?:=>|:=|=|:)\s{0,3}[\\"'`]{0,4})[^\s"'`,;(){}<>[\]\\]{8,500}/gi,
    keep: true,
    accept: looksSecret,
  },
  {
    id: "secret-option",
    hints: [
      "--password",
      "--token",
      "--secret",
      "--api-key",
      "--apikey",
      "--passwd",
      "--access-token",
      "--auth-token",
      "--client-secret",
    ],
    pattern: () =>
      /(--(?:password|passwd|token|secret|api-?key|access-token|auth-token|client-secret)[ =]["']?)[^\s"']{4,500}/gi,
    keep: true,
    accept: notPlaceholder,
  },
];

/** The text with every credential that a rule knows replaced by `[REDACTED]`. Never throws, never grows without bound. */
export function redactCredentials(text: string): string {
  if (text.length < 8) return text;
  const folded = text.toLowerCase();
  let result = text;
  for (const rule of RULES) {
    let isHinted = false;
    // In place: called by itself for every rule, this would be compiled by the engine, at more than its own cost.
    for (const hint of rule.hints) if (folded.includes(hint)) isHinted = true;
    if (!isHinted) continue;
    result = result.replace(rule.pattern(), (match: string, kept: unknown) => {
      const prefix = rule.keep && typeof kept === "string" ? kept : "";
      const secret = match.slice(prefix.length);
      if (secret.startsWith(REDACTED) || (rule.accept && !rule.accept(secret))) return match;
      return prefix + REDACTED;
    });
  }
  return result;
}

/** True when some rule finds a credential: memory and notes refuse such text. */
export function holdsCredential(text: string): boolean {
  return redactCredentials(text) !== text;
}

function hasDigitAndLetter(secret: string): boolean {
  return /[0-9]/.test(secret) && /[A-Za-z]/.test(secret);
}

/** `$VAR`, `${VAR}`, `%VAR%`, `{{ x }}`, `<your token>`, `xxxx`, `****`, `example`: names of secrets, not secrets. */
function notPlaceholder(secret: string): boolean {
  if (/^[$%{<]/.test(secret)) return false;
  if (/^(.)\1*$/.test(secret)) return false;
  return !/^(?:your|my|the|some|change|example|placeholder|dummy|null|none|undefined|true|false|process\.|os\.|env\b)/i.test(
    secret,
  );
}

/** A value that carries the randomness of a secret: mixed classes and enough distinct characters for its length. */
function looksSecret(secret: string): boolean {
  if (!notPlaceholder(secret)) return false;
  if (/^\d+(?:\.\d+)*$/.test(secret)) return false;
  // A path, a dotted or called name, a type: code that talks about secrets.
  if (
    /^[./~]|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^[a-z_]+$|^[A-Z][a-z]+[A-Za-z]*$|^[a-z]+(?:[A-Z][a-z]+)+$|^[a-z]+(?:[-_][a-z]+)+$/.test(
      secret,
    )
  )
    return false;
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((one) => one.test(secret)).length;
  return classes >= 2 && new Set(secret).size >= Math.min(8, Math.ceil(secret.length * 0.4));
}

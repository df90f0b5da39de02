/** Files that are not put into a pack or a context whatever they hold: where secrets usually lie. */
const NAMES =
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template|dist)[^/]*)?|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.(?:json|ya?ml|toml|ini))?|secrets?\.(?:json|ya?ml|toml|ini|env)|service[-_]account[^/]*\.json|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ovpn|asc|gpg|tfstate(?:\.backup)?|tfvars))$/i;
const FOLDERS = /(?:^|\/)\.(?:ssh|aws|gnupg|kube|docker|azure|gcloud)\//i;

export function isSecretFile(path: string): boolean {
  return NAMES.test(path) || FOLDERS.test(path);
}

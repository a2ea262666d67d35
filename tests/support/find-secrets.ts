/**
 * What must never appear in a log: our keys, tokens and client secrets, next-auth's tokens, password hashes, Authorization
 * headers and cookies, OAuth's codes and secrets, URLs that set up a second factor, and the password and the NEXTAUTH_SECRET of
 * most tests.
 */
const SECRET_PATTERNS = [
  /bd[kpc]_[0-9A-Za-z]{20,}/,
  /eyJ[\w-]{10,}\.[\w-]*\.[\w-]{10,}/,
  /\$argon2/,
  /Bearer [\w.-]{12,}/i,
  /session-token=./,
  /brickdesk\.oauth\.\w+=./,
  /Basic [A-Za-z0-9+/]{12,}/,
  // OAuth secrets in URLs, forms and responses.
  /[?&](?:code|state|nonce|code_verifier|client_secret|access_token|refresh_token|id_token|password)=[\w.~+/%-]{16,}/,
  /\\?"(?:code_verifier|client_secret|access_token|refresh_token|id_token)\\?":\\?"[\w.~+/%-]{16,}/,
  /otpauth:\/\//,
  /four unrelated words here/,
  /a secret that is only used in tests/,
];

/** Returns the secrets in a log, at most one for each pattern. */
export function findSecrets(log: string): string[] {
  return SECRET_PATTERNS.map((pattern) => pattern.exec(log)?.[0]).filter((secret) => secret !== undefined);
}

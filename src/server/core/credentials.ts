/** What a credential is replaced with. */
export const MASKED = '[masked]';

/** A value is a credential if its name, in lower case and without separators, contains one of these. */
const CREDENTIAL_PARTS = [
  'apikey',
  'accesskey',
  'secretkey',
  'privatekey',
  'clientkey',
  'appkey',
  'authkey',
  'token',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'authorization',
  'credential',
  'cookie',
  'session',
  'sessid',
  'signature',
  'bearer',
  'jwt',
  'codeverifier',
];

/** Words that count only when they stand alone: `sign`, not `design`. */
const CREDENTIAL_WORDS = new Set([
  ...['sign', 'sig', 'key', 'keys', 'auth', 'oauth', 'pass', 'pwd', 'pw', 'pin', 'otp', 'hmac', 'sid'],
  ...['jsessionid', 'nonce'],
]);

/** Names that look like credentials but identify requests, not callers. */
const HARMLESS_NAMES = new Set(['idempotencykey', 'secwebsocketkey']);

/**
 * Returns whether this is the name of a header, parameter or member that carries a credential, whatever its case and
 * separators: `X-Api-Key`, `access_token`, `SessionId`, `17token`, `sign`.
 */
export function isCredentialName(name: string): boolean {
  const normalisedName = name.normalize('NFKC');
  const compactName = normalisedName.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  if (HARMLESS_NAMES.has(compactName)) return false;
  if (CREDENTIAL_PARTS.some((part) => compactName.includes(part))) return true;
  const words = normalisedName.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => CREDENTIAL_WORDS.has(word.toLowerCase()));
}

/** A word of ordinary text: in lower case (at most 15 letters), capitalised or in upper case (at most 16). */
const WORD = '(?:[A-Z]?[a-z]{1,15}|[A-Z]{1,16})';
/**
 * What may follow `Bearer` or `Basic` in ordinary text, such as `Transportation` or `door-to-door`: up to three words, joined by
 * hyphens or slashes. Nearly every generated credential has a digit, another mark, or upper case in the middle of a word.
 */
const WORDS = `${WORD}(?:[-/]${WORD}){0,2}\\.{0,3}(?![\\w.~+/=-])`;

/**
 * Shapes of credentials, wherever they occur: our keys, personal tokens and client secrets, password hashes, Authorization
 * headers, session cookies, authenticator links. Each starts with a literal prefix, so that matching takes linear time.
 */
const CREDENTIAL_PATTERNS: readonly [RegExp, string][] = [
  [/bd[kpc]_[0-9A-Za-z]{20,}/g, MASKED],
  [/\$argon2[\w$,=+/.-]*/g, MASKED],
  [
    /(authorization[\\"']{0,2}\s{0,8}[:=]\s{0,8}[\\"']{0,2}(?:Bearer|Basic)(?:\s|%20|\+){1,3})[\w.~+/=-]{12,}/gi,
    `$1${MASKED}`,
  ],
  [
    new RegExp(
      `((?:[Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc])(?:\\s|%20|\\+){1,3})(?!${WORDS})[\\w.~+/=-]{12,}`,
      'g',
    ),
    `$1${MASKED}`,
  ],
  [/(?:session-token|brickdesk\.oauth\.\w{1,40})=[^;,\s"&]*/gi, MASKED],
  [/otpauth:\/\/[^\s"'<>]*/gi, MASKED],
];

/** `name=value` pairs in URLs, forms and cookies. */
const PAIR = /(?<=^|[?&;,\s"'#])([\w.[\]-]{1,64})=([^&;,\s"'<>#]+)/g;
/** JSON members that hold OAuth secrets. */
const MEMBER =
  /(\\?"(?:code_verifier|client_secret|access_token|refresh_token|id_token)\\?"\s{0,8}:\s{0,8}\\?")[^"\\]+/g;
const TOKEN_RUN = /[\w.-]{20,}/g;

/** Masks JSON Web Tokens: three to five parts separated by dots, the first starting like base64-encoded JSON. */
function maskWebTokens(run: string): string {
  if (!run.includes('eyJ')) return run;
  const parts = run.split('.');
  const maskedParts: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const tokenStart = part.indexOf('eyJ');
    const isToken =
      tokenStart !== -1 && part.length - tokenStart >= 13 && (parts[index + 2]?.length ?? 0) >= 10;
    maskedParts.push(isToken ? part.slice(0, tokenStart) + MASKED : part);
    if (isToken) index += 4;
  }
  return maskedParts.join('.');
}

/** Masks what looks like a credential, in time linear in the length of the text. */
export function maskCredentials(text: string): string {
  const maskedText = CREDENTIAL_PATTERNS.reduce(
    (textSoFar, [pattern, replacement]) => textSoFar.replace(pattern, replacement),
    text,
  );
  return maskedText.replace(MEMBER, `$1${MASKED}`).replace(TOKEN_RUN, maskWebTokens);
}

const CODE_OR_STATE_NAME = /^(?:code|state)$/i;
/** Returns whether this is OAuth's `code` or `state`. Values need 16 characters, so that a country code does not count as one. */
const isOAuthCodeOrState = (name: string, value: string) =>
  CODE_OR_STATE_NAME.test(name) && /^[\w.~+/%-]{16,}$/.test(value);

/** Like {@link maskCredentials}, and also masks the values of `name=value` pairs whose names mark them as credentials. */
export function maskText(text: string): string {
  return maskCredentials(text).replace(PAIR, (pair, name: string, value: string) =>
    isCredentialName(name) || isOAuthCodeOrState(name, value) ? `${name}=${MASKED}` : pair,
  );
}

/** Masks a value for storage: all of it if its name marks it as a credential, otherwise only what looks like one. */
export function maskValue(name: string, value: string): string {
  return isCredentialName(name) || isOAuthCodeOrState(name, value) ? MASKED : maskText(value);
}

/** Masks what looks like a credential in a body, read as Latin-1, and leaves every other byte unchanged. */
export function maskBytes(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const maskedText = maskCredentials(text);
  return maskedText === text ? body : Buffer.from(maskedText, 'latin1');
}

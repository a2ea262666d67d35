/** Replaces a credential. */
export const MASKED = '[masked]';

/** Names, or parts of names, whose values are credentials; compared in small letters and without separators. */
const TELLING = [
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

/** Names that are so only where they stand by themselves between separators: `sign`, not `design`. */
const WHOLE = new Set([
  ...['sign', 'sig', 'key', 'keys', 'auth', 'oauth', 'pass', 'pwd', 'pw', 'pin', 'otp', 'hmac', 'sid'],
  ...['jsessionid', 'nonce'],
]);

/** These name requests, not who makes them. */
const HARMLESS = new Set(['idempotencykey', 'secwebsocketkey']);

/**
 * Whether a header, parameter or member of this name carries a credential, in any case and with any separator: `X-Api-Key`,
 * `access_token`, `SessionId`, `17token`, `sign`.
 */
export function isCredentialName(name: string): boolean {
  const plain = name.normalize('NFKC');
  const joined = plain.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
  if (HARMLESS.has(joined)) return false;
  if (TELLING.some((part) => joined.includes(part))) return true;
  const words = plain.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => WHOLE.has(word.toLowerCase()));
}

/**
 * Shapes of credentials, wherever they occur: our keys, personal tokens and client secrets, password hashes, Authorization
 * headers, session cookies, links of authenticators. Each begins with letters of its own, so that reading takes linear time.
 */
const SHAPES: readonly [RegExp, string][] = [
  [/bd[kpc]_[0-9A-Za-z]{20,}/g, MASKED],
  [/\$argon2[\w$,=+/.-]*/g, MASKED],
  [/((?:Bearer|Basic)(?:\s|%20|\+){1,3})[\w.~+/=-]{12,}/gi, `$1${MASKED}`],
  [/(?:session-token|brickdesk\.oauth\.\w{1,40})=[^;,\s"&]*/gi, MASKED],
  [/otpauth:\/\/[^\s"'<>]*/gi, MASKED],
];

/** `name=value`, as in addresses, forms and cookies. */
const PAIR = /(?<=^|[?&;,\s"'#])([\w.[\]-]{1,64})=([^&;,\s"'<>#]+)/g;
/** Members of JSON that OAuth answers with, and what our own sign-in sends. */
const MEMBER =
  /(\\?"(?:code_verifier|client_secret|access_token|refresh_token|id_token)\\?"\s{0,8}:\s{0,8}\\?")[^"\\]+/g;
const TOKEN_RUN = /[\w.-]{20,}/g;

/** Web tokens: three to five parts with dots between, of which the first begins like JSON in base64. */
function maskWebTokens(run: string): string {
  if (!run.includes('eyJ')) return run;
  const parts = run.split('.');
  const kept: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const at = part.indexOf('eyJ');
    const signed = at !== -1 && part.length - at >= 13 && (parts[index + 2]?.length ?? 0) >= 10;
    kept.push(signed ? part.slice(0, at) + MASKED : part);
    if (signed) index += 4;
  }
  return kept.join('.');
}

/** A text with everything masked that is shaped like a credential, in time linear in its length. */
export function maskShapes(text: string): string {
  const masked = SHAPES.reduce((rest, [shape, by]) => rest.replace(shape, by), text);
  return masked.replace(MEMBER, `$1${MASKED}`).replace(TOKEN_RUN, maskWebTokens);
}

/** What OAuth calls its codes; a country's code is too short to be one. */
const CODE = /^(?:code|state)$/i;
const isCode = (name: string, value: string) => CODE.test(name) && /^[\w.~+/%-]{16,}$/.test(value);

/** The same, and the values of `name=value` whose names tell. */
export function maskText(text: string): string {
  return maskShapes(text).replace(PAIR, (pair, name: string, value: string) =>
    isCredentialName(name) || isCode(name, value) ? `${name}=${MASKED}` : pair,
  );
}

/** A value by its name, as it may be stored: masked whole where the name tells, else as far as its text does. */
export function maskValue(name: string, value: string): string {
  return isCredentialName(name) || isCode(name, value) ? MASKED : maskText(value);
}

/** A body with its credentials masked, and every other byte as it came, whatever its encoding. */
export function maskBytes(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const masked = maskShapes(text);
  return masked === text ? body : Buffer.from(masked, 'latin1');
}

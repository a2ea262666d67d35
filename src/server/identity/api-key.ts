import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What every key begins with, so that secret scanners and people recognise one. */
const API_KEY_PREFIX = 'bdk_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(
  `^${API_KEY_PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

/** A new key and what may be stored of it. */
export interface NewApiKey {
  /** Shown once, kept nowhere. */
  key: string;
  hash: Buffer;
  /** `bdk_` and four letters, to recognise a key by. */
  prefix: string;
  lastFour: string;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    // Bytes from 248 on would favour the first letters of the alphabet.
    for (const byte of randomBytes(length))
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
  }
  return text;
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** The form in which a key is stored and looked up. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A key of 238 random bits with a checksum at its end (decisions.md, "Sign-in and keys"). */
export function generateApiKey(): NewApiKey {
  const secret = randomText(SECRET_LENGTH);
  const key = API_KEY_PREFIX + secret + checksum(secret);
  return {
    key,
    hash: hashApiKey(key),
    prefix: key.slice(0, API_KEY_PREFIX.length + 4),
    lastFour: key.slice(-4),
  };
}

/** Whether a text can be one of our keys at all; a wrong one is refused without asking the database. */
export function isWellFormedApiKey(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}

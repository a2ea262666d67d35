import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
/** A new key or token, and what may be stored of it. */
interface NewSecret {
  /** Shown once, stored nowhere. */
  key: string;
  hash: Buffer;
  /** Such as `bdk_` and four letters, to recognise a key. */
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

/** The form in which a key or token is stored and looked up. */
export function hashSecret(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

interface SecretKind {
  /** 238 random bits with a checksum at the end (docs/api-conventions.md). */
  generate(): NewSecret;
  /** Returns whether a text has the form of one; malformed ones are refused without asking the database. */
  isWellFormed(text: string): boolean;
}

/** Secrets that begin with `prefix`, so that secret scanners and people recognise them. */
function secretKind(prefix: string): SecretKind {
  const shape = new RegExp(`^${prefix}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);
  return {
    generate() {
      const secret = randomText(SECRET_LENGTH);
      const key = prefix + secret + checksum(secret);
      return { key, hash: hashSecret(key), prefix: key.slice(0, prefix.length + 4), lastFour: key.slice(-4) };
    },
    isWellFormed(text) {
      const match = shape.exec(text);
      return match !== null && checksum(match[1]!) === match[2];
    },
  };
}

/** Keys with which integrations call the API. */
export const apiKeys = secretKind('bdk_');

/** Bearer tokens that users create for their scripts. */
export const personalTokens = secretKind('bdp_');

/** Secrets of OAuth clients. */
export const clientSecrets = secretKind('bdc_');

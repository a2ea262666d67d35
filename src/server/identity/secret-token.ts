import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const CHECKSUM_LENGTH = 6;

/** A new key or token, and the parts that are stored. */
interface NewSecret {
  /** Shown once and never stored. */
  key: string;
  hash: Buffer;
  /** The first characters, by which people recognise the key: the prefix of its kind, such as `bdk_`, and four more. */
  prefix: string;
  lastFour: string;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    // Bytes of 248 or more would favour the first characters of the alphabet.
    for (const byte of randomBytes(length))
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
  }
  return text;
}

function checksum(secret: string): string {
  let quotient = crc32(secret);
  let text = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    text = ALPHABET[quotient % 62] + text;
    quotient = Math.floor(quotient / 62);
  }
  return text;
}

/** Returns the hash under which a key or token is stored and looked up. */
export function hashSecret(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

interface SecretKind {
  /** Generates 238 random bits with a checksum at the end (docs/api-conventions.md). */
  generate(): NewSecret;
  /** Returns whether a string is well formed, so that malformed ones can be refused without a database query. */
  isWellFormed(text: string): boolean;
}

/** Defines secrets that begin with `prefix`, by which secret scanners and people recognise them. */
function defineSecretKind(prefix: string): SecretKind {
  const pattern = new RegExp(`^${prefix}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);
  return {
    generate() {
      const secret = randomText(SECRET_LENGTH);
      const key = prefix + secret + checksum(secret);
      return { key, hash: hashSecret(key), prefix: key.slice(0, prefix.length + 4), lastFour: key.slice(-4) };
    },
    isWellFormed(text) {
      const match = pattern.exec(text);
      return match !== null && checksum(match[1]!) === match[2];
    },
  };
}

/** Keys that integrations use to call the API. */
export const apiKeys = defineSecretKind('bdk_');

/** Bearer tokens that users create for their scripts. */
export const personalTokens = defineSecretKind('bdp_');

/** Secrets of OAuth clients. */
export const clientSecrets = defineSecretKind('bdc_');

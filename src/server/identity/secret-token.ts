import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_PART_LENGTH = 40;
const CHECKSUM_LENGTH = 6;

/** A new key or token, and the parts that are stored. */
interface NewSecret {
  /** The key or token itself, which is shown once and never stored. */
  secret: string;
  hash: Buffer;
  /** The first characters, by which people recognise the key or token: the prefix of its kind, such as `bdk_`, and four more. */
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

function checksumOf(randomPart: string): string {
  let quotient = crc32(randomPart);
  let text = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    text = ALPHABET[quotient % 62] + text;
    quotient = Math.floor(quotient / 62);
  }
  return text;
}

/** Returns the hash that is stored instead of a key, token or other secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

interface SecretKind {
  /** Generates a secret of 238 random bits, with a checksum at the end (docs/api-conventions.md). */
  generate(): NewSecret;
  /** Returns whether a string is well formed, so that malformed ones can be refused without a database query. */
  isWellFormed(text: string): boolean;
}

/** Defines secrets that begin with `prefix`, by which secret scanners and people recognise them. */
function defineSecretKind(prefix: string): SecretKind {
  const pattern = new RegExp(
    `^${prefix}([0-9A-Za-z]{${RANDOM_PART_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
  );
  return {
    generate() {
      const randomPart = randomText(RANDOM_PART_LENGTH);
      const secret = prefix + randomPart + checksumOf(randomPart);
      return {
        secret,
        hash: hashSecret(secret),
        prefix: secret.slice(0, prefix.length + 4),
        lastFour: secret.slice(-4),
      };
    },
    isWellFormed(text) {
      const match = pattern.exec(text);
      return match !== null && checksumOf(match[1]!) === match[2];
    },
  };
}

/** Keys that integrations use to call the API. */
export const apiKeys = defineSecretKind('bdk_');

/** Bearer tokens that users create for their scripts. */
export const personalTokens = defineSecretKind('bdp_');

/** Secrets of OAuth clients. */
export const clientSecrets = defineSecretKind('bdc_');

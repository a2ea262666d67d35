import { createHmac, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { SecretBox } from '../../core/secret-box';
import { READABLE_ALPHABET } from './readable-alphabet';

const PERIOD_SECONDS = 30;
/** How many steps a code may be early or late. */
const WINDOW_STEPS = 1;

/** Creates a TOTP (RFC 6238) as every authenticator app implements it: SHA-1, six digits, thirty seconds. */
function createTotp(secret: string, email = ''): TOTP {
  return new TOTP({
    issuer: 'Brickdesk',
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

/** Generates a secret of 160 bits, in base 32. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the content of the QR code for an authenticator app. */
export function totpUri(secret: string, email: string): string {
  return createTotp(secret, email).toString();
}

/**
 * Returns the time step that a code belongs to: the current one, the previous one or the next one.
 *
 * @returns null if the code matches none of these steps
 */
export function totpStep(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = createTotp(secret).validate({ token: code, timestamp: now, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

/** Generates a recovery code of 49 random bits: `k7fqa-m2x9p`. */
function generateRecoveryCode(): string {
  let text = '';
  // Bytes of 248 or more would favour the first characters of the alphabet.
  while (text.length < 10)
    for (const byte of randomBytes(16))
      if (byte < 248 && text.length < 10) text += READABLE_ALPHABET[byte % 31];
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

/** Generates ten recovery codes, each valid once. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, generateRecoveryCode);
}

/**
 * Returns the hash under which a recovery code is stored. Spaces, dashes and case do not matter. The hash is keyed with the
 * deployment's secret; otherwise anyone with a copy of the database could try all 49-bit codes.
 */
export function hashRecoveryCode(
  secrets: Pick<SecretBox, 'deriveKey'>,
  userId: number,
  code: string,
): Uint8Array<ArrayBuffer> {
  const text = `${userId}:${code.toLowerCase().replace(/[\s-]/g, '')}`;
  return Uint8Array.from(createHmac('sha256', secrets.deriveKey('recovery-code')).update(text).digest());
}

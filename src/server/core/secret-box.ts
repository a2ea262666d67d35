import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a key is for. Each purpose has its own key, so that a value created for one purpose is useless for another. */
type Purpose =
  | 'totp'
  | 'recovery-code'
  | 'oauth-signing-key'
  | 'oauth-cookies'
  | 'consent'
  | 'second-step'
  | 'device'
  | 'notification-channel'
  | 'unsubscribe';

/** Derives keys from the deployment's secret, and encrypts small secrets with them. */
export interface SecretBox {
  /** Returns 32 bytes that depend only on the deployment's secret and the purpose. */
  deriveKey(purpose: Purpose): Buffer;
  /**
   * Encrypts with AES-256-GCM. `context`, such as a record's id, is authenticated with the text, so that a sealed value cannot be
   * moved to another record.
   */
  seal(purpose: Purpose, context: string, text: string): Uint8Array<ArrayBuffer>;
  /**
   * Decrypts what `seal` returned.
   *
   * @throws Error if it was sealed with another secret or for another purpose or context, or was altered
   */
  open(purpose: Purpose, context: string, sealedBytes: Uint8Array): string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a secret box. If the secret changes, everything sealed with the old one is lost. */
export function createSecretBox(secret: string): SecretBox {
  const deriveKey = (purpose: Purpose) => Buffer.from(hkdfSync('sha256', secret, 'brickdesk', purpose, 32));
  return {
    deriveKey,
    seal(purpose, context, text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', deriveKey(purpose), iv).setAAD(Buffer.from(context));
      const encryptedParts = [cipher.update(text, 'utf8'), cipher.final()];
      return Uint8Array.from(Buffer.concat([iv, ...encryptedParts, cipher.getAuthTag()]));
    },
    open(purpose, context, sealedBytes) {
      const bytes = Buffer.from(sealedBytes);
      const decipher = createDecipheriv('aes-256-gcm', deriveKey(purpose), bytes.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const textParts = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(textParts).toString('utf8');
    },
  };
}

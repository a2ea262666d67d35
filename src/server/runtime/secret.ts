import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSecretFile } from '../core/new-file';

const FILE_NAME = 'nextauth-secret';

/**
 * Returns the secret that signs sessions and encrypts the secrets in the database (core/secret-box.ts). It is created at the
 * first start, stored beside the embedded database, readable by its owner only, and never changed.
 */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, FILE_NAME);
  await createSecretFile(file, randomBytes(48).toString('base64url'));
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret.length < 32)
    throw new Error(
      `${file} is damaged. Restore it from your copy. Without it, two-factor secrets, signing keys and webhook addresses are lost.`,
    );
  return secret;
}

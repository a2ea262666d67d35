import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../core/make-folder';
import { createSecretFile } from '../core/new-file';

const FILE_NAME = 'nextauth-secret';

/**
 * Returns the secret that signs sessions and encrypts the secrets in the database (core/secret-box.ts). It is created at the
 * first start, stored beside the embedded database, readable by its owner only, and never changed. Once there is one, nothing is
 * written, so that a full disk does no harm.
 *
 * @throws Error if the file is damaged; the system's error if it cannot be read or created
 */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, FILE_NAME);
  return requireIntact(file, (await readIfExists(file)) ?? (await createSecret(file)));
}

/** Like {@link loadOrCreateSecret}, but returns null if there is no secret yet. */
export async function loadSecret(dataDir: string): Promise<string | null> {
  const file = path.join(dataDir, FILE_NAME);
  const secret = await readIfExists(file);
  return secret === null ? null : requireIntact(file, secret);
}

function requireIntact(file: string, secret: string): string {
  if (secret.length >= 32) return secret;
  throw new Error(
    `${file} is damaged. Restore it from your copy. Without it, two-factor secrets, signing keys and webhook addresses are lost.`,
  );
}

async function readIfExists(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Creates the secret and returns it, or the one that another process has created in the meantime. */
async function createSecret(file: string): Promise<string> {
  await makeFolder(path.dirname(file));
  await createSecretFile(file, randomBytes(48).toString('base64url'));
  return (await readFile(file, 'utf8')).trim();
}

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Actor } from '../../src/server/audit/service';
import type { Database } from '../../src/server/db/client';
import { createApiKey } from '../../src/server/identity/keys/service';
import { type FirstOwner, resetPassword } from '../../src/server/identity/users/service';

const ACTOR: Actor = { kind: 'system', name: 'demo' };
const OWNER_EMAIL = 'owner@localhost';

/** The credentials of the demo. */
export interface DemoCredentials {
  email: string;
  password: string;
  key: string;
}

async function createCredentials(db: Database): Promise<DemoCredentials> {
  const { email, password } = await resetPassword(db, ACTOR, { email: OWNER_EMAIL });
  const { key } = await createApiKey(db, ACTOR, { name: 'demo key', expiresAt: null });
  return { email, password: password!, key };
}

/**
 * Returns the owner's e-mail address and password, and a key. The service itself stores no readable copy of the password or the
 * key, but the demo does, beside its data, so that it can print them at every start.
 */
export async function loadOrCreateCredentials(
  db: Database,
  owner: FirstOwner | null,
  dataDir: string,
): Promise<DemoCredentials> {
  const file = path.join(dataDir, 'demo-access.json');
  const savedJson = await readFile(file, 'utf8').catch(() => null);
  if (savedJson !== null && owner === null) return JSON.parse(savedJson) as DemoCredentials;
  const { email, password, key } = owner ?? (await createCredentials(db));
  const credentials = { email, password: password!, key };
  await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
  return credentials;
}

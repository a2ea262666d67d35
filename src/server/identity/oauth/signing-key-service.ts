import { generateKeyPair, type JsonWebKey, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { type Actor, writeAuditEntry } from '../../audit/service';
import { DAY_MS } from '../../core/days';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Log } from '../../core/log';
import type { SecretBox } from '../../core/secret-box';
import type { Database } from '../../db/client';
import { takeLockIn } from '../../db/locks/advisory-locks';
import { lockActor } from '../users/actor-service';
import type { ActorWithRole } from '../users/view-service';

/** A private key with its id, as an RFC 7517 JWK. */
export type SigningKey = JsonWebKey & { kid: string; alg: 'RS256'; use: 'sig' };

/** The services that these functions need. */
interface Services {
  db: Database;
  secrets: SecretBox;
  log: Log;
}

/** Days for which a retired key stays published: far longer than anything it signed is valid. */
const RETIRED_KEY_PUBLICATION_DAYS = 30;
const PURPOSE = 'oauth-signing-key';
const generateKeyPairAsync = promisify(generateKeyPair);

async function createKey({ secrets }: Pick<Services, 'secrets'>) {
  const { privateKey } = await generateKeyPairAsync('rsa', { modulusLength: 2048 });
  const id = randomUUID();
  const key: SigningKey = { ...privateKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' };
  return { id, encrypted: secrets.seal(PURPOSE, id, JSON.stringify(key)) };
}

const publishedFilter = () => ({
  OR: [
    { retiredAt: null },
    { retiredAt: { gt: new Date(Date.now() - RETIRED_KEY_PUBLICATION_DAYS * DAY_MS) } },
  ],
});

/** Returns a string that identifies the set of published keys and changes whenever the set does. */
export async function readSigningKeyVersion(db: Database): Promise<string> {
  const rows = await db.prisma.oAuthSigningKey.findMany({
    where: publishedFilter(),
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  return rows.map(({ id }) => id).join(' ');
}

/** The Prisma client or a transaction. */
type Reader = Pick<Database['prisma'], 'oAuthSigningKey'>;

const SEALED_WITH_ANOTHER_SECRET =
  'a signing key was sealed with another secret, so the id tokens that it signed can no longer be verified (access tokens stay ' +
  "valid); if this data was restored or moved, stop the service and put the old deployment's secret in place (docs/backups.md)";

async function openKeys(
  { secrets, log }: Services,
  db: Reader,
  where: ReturnType<typeof publishedFilter> | { retiredAt: null },
): Promise<SigningKey[]> {
  const rows = await db.oAuthSigningKey.findMany({
    where,
    orderBy: [{ retiredAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }, { id: 'asc' }],
  });
  return rows.flatMap((row) => {
    const key = openKey(secrets, row);
    if (!key) log.warn({ kid: row.id }, SEALED_WITH_ANOTHER_SECRET);
    return key ?? [];
  });
}

/** Returns a stored key, or null if it was sealed with another secret. */
function openKey(
  secrets: SecretBox,
  { id, encrypted }: { id: string; encrypted: Uint8Array },
): SigningKey | null {
  try {
    return JSON.parse(secrets.open(PURPOSE, id, encrypted)) as SigningKey;
  } catch {
    return null;
  }
}

/** Returns whether there is a signing key that is not retired, whatever secret it was sealed with. */
export async function hasActiveSigningKey(db: Database): Promise<boolean> {
  return (await db.prisma.oAuthSigningKey.count({ where: { retiredAt: null } })) > 0;
}

/**
 * Loads the published keys. The first one signs. Skips keys that were sealed with a secret other than the current one; their
 * signatures can no longer be verified.
 */
export function loadSigningKeys(services: Services): Promise<SigningKey[]> {
  return openKeys(services, services.db.prisma, publishedFilter());
}

/** Creates a signing key unless there is one that is not retired and that this deployment's secret can open. */
export async function ensureSigningKey(services: Services): Promise<void> {
  const activeKeyFilter = { retiredAt: null };
  if ((await openKeys(services, services.db.prisma, activeKeyFilter)).length > 0) return;
  const newKey = await createKey(services);
  await services.db.prisma.$transaction(async (tx) => {
    await takeLockIn(tx, 'signingKey');
    if ((await openKeys(services, tx, activeKeyFilter)).length > 0) return;
    await tx.oAuthSigningKey.create({ data: newKey });
    // At the first start, and after the secret has changed.
    const actor: Actor = { kind: 'system', name: 'missing signing key' };
    await writeAuditEntry(tx, actor, {
      action: 'oauth_key.create',
      recordType: 'oauth_key',
      recordId: newKey.id,
    });
  });
}

/**
 * Creates a new key and retires the previous ones, whose signatures can be verified for another 30 days. Each server signs with the
 * new key as soon as it has noticed the change (oauth/authorization-server.ts).
 *
 * @throws ServiceError `conflict` if none of the previous keys was sealed with this secret: the servers' is another one, so they could
 * not open the new key either; `unauthorized` if the actor's session has ended
 */
export async function rotateSigningKey(
  services: Pick<Services, 'db' | 'secrets'>,
  actor: ActorWithRole,
): Promise<{ id: string; retiredIds: string[]; publishedUntil: Date }> {
  const newKey = await createKey(services);
  return services.db.prisma.$transaction(async (tx) => {
    await lockActor(tx, actor);
    const now = new Date();
    await takeLockIn(tx, 'signingKey');
    const previousKeys = await tx.oAuthSigningKey.findMany({
      where: { retiredAt: null },
      select: { id: true, encrypted: true },
    });
    if (previousKeys.length > 0 && !previousKeys.some((key) => openKey(services.secrets, key)))
      throw new ServiceError('conflict', createReason('client.otherSecret'));
    const retiredIds = previousKeys.map(({ id }) => id);
    await tx.oAuthSigningKey.updateMany({ where: { id: { in: retiredIds } }, data: { retiredAt: now } });
    await tx.oAuthSigningKey.create({ data: newKey });
    await writeAuditEntry(tx, actor, {
      action: 'oauth_key.rotate',
      recordType: 'oauth_key',
      recordId: newKey.id,
      before: { signing: retiredIds },
    });
    const publishedUntil = new Date(now.getTime() + RETIRED_KEY_PUBLICATION_DAYS * DAY_MS);
    return { id: newKey.id, retiredIds, publishedUntil };
  });
}

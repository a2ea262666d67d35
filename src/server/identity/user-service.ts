import { ServiceError } from '../core/errors';
import type { Database } from '../db/client';
import { type Actor, writeAudit } from './audit';
import { createApiKey } from './key-service';
import { generatePassword, hashPassword } from './password';
import type { Role } from './schema';

/** What a first start made; the password is null where the operator gave it. */
export interface FirstOwner {
  email: string;
  password: string | null;
  key: string;
}

/** Arbitrary; servers that start at once agree on it. */
const FIRST_OWNER_LOCK = 4_271_905_234;

/**
 * Makes the first owner and an API key, once: where no user is stored yet (decisions.md, "First start").
 *
 * @returns null where there are users already
 */
export async function ensureFirstOwner(
  db: Database,
  input: { email: string; password: string | undefined },
): Promise<FirstOwner | null> {
  if ((await db.prisma.user.findFirst({ select: { id: true } })) !== null) return null;
  const actor: Actor = { kind: 'system', name: 'first start' };
  const password = input.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const made = await db.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(${FIRST_OWNER_LOCK}::bigint)`;
    if ((await tx.user.findFirst({ select: { id: true } })) !== null) return null;
    const user = await tx.user.create({
      data: {
        email: input.email,
        name: input.email.split('@')[0] ?? input.email,
        role: 'owner',
        passwordHash,
        passwordChangedAt: new Date(),
      },
    });
    await writeAudit(tx, actor, {
      action: 'user.create',
      recordType: 'user',
      recordId: user.id,
      after: { email: user.email, role: user.role },
    });
    return user;
  });
  if (!made) return null;
  const { key } = await createApiKey(db, actor, { name: 'first key', expiresAt: null });
  return { email: made.email, password: input.password ? null : password, key };
}

export interface UserView {
  id: number;
  email: string;
  name: string;
  role: Role;
}

/**
 * Makes a person who may sign in.
 *
 * @returns the password where none was given, the only copy of it
 * @throws ServiceError `validation_failed` where the e-mail is taken
 */
export async function createUser(
  db: Database,
  actor: Actor,
  input: { email: string; role: Role; name?: string; password?: string },
): Promise<UserView & { password: string | null }> {
  const password = input.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  return db.prisma.$transaction(async (tx) => {
    if (await tx.user.findUnique({ where: { email: input.email } })) {
      throw new ServiceError('validation_failed', `A user with the e-mail ${input.email} exists already.`);
    }
    const { id, email, name, role } = await tx.user.create({
      data: {
        email: input.email,
        name: input.name ?? input.email.split('@')[0] ?? input.email,
        role: input.role,
        passwordHash,
        passwordChangedAt: new Date(),
      },
    });
    await writeAudit(tx, actor, {
      action: 'user.create',
      recordType: 'user',
      recordId: id,
      after: { email, role },
    });
    return { id, email, name, role, password: input.password ? null : password };
  });
}

/**
 * Gives a person a new password.
 *
 * @throws ServiceError `not_found` where nobody has the e-mail
 */
export async function resetPassword(
  db: Database,
  actor: Actor,
  input: { email: string; password?: string },
): Promise<{ id: number; email: string; password: string | null }> {
  const password = input.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  return db.prisma.$transaction(async (tx) => {
    const user = await tx.user.findUnique({ where: { email: input.email } });
    if (!user) throw new ServiceError('not_found', `No user has the e-mail ${input.email}.`);
    await tx.user.update({ where: { id: user.id }, data: { passwordHash, passwordChangedAt: new Date() } });
    await writeAudit(tx, actor, { action: 'user.reset_password', recordType: 'user', recordId: user.id });
    return { id: user.id, email: user.email, password: input.password ? null : password };
  });
}

import { idTextSchema } from '../../core/ids';
import type { Database } from '../../db/client';

/** A user as clients see them. */
export interface OAuthAccount {
  id: number;
  name: string;
  email: string;
  locale: string;
  updatedAt: Date;
}

/** Returns the user that a subject identifies, or null if there is none or the user is deactivated. */
export async function findOAuthAccount(db: Database, subject: string): Promise<OAuthAccount | null> {
  const parseResult = idTextSchema.safeParse(subject);
  if (!parseResult.success) return null;
  return db.prisma.user.findFirst({
    where: { id: parseResult.data, deactivatedAt: null },
    select: { id: true, name: true, email: true, locale: true, updatedAt: true },
  });
}

/** Returns the time at which the user of a session signed in, or null if there is no such session. */
export async function findSignInTime(db: Database, sessionId: string): Promise<Date | null> {
  const session = await db.prisma.userSession.findUnique({
    where: { id: sessionId },
    select: { createdAt: true },
  });
  return session?.createdAt ?? null;
}

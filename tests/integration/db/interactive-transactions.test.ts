import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { isDatabaseUnavailable } from '../../../src/server/db/unavailable';
import { publicError } from '../../../src/server/trpc/public-error';
import { countWaitingStatements, openUnyieldingConnection } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;
let otherConnection: pg.Client;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
});
afterAll(() => service.close());
beforeEach(async () => {
  otherConnection = await openUnyieldingConnection(service.database);
  await otherConnection.query('BEGIN');
});
afterEach(() => otherConnection.end());

const getPrisma = () => service.app.services.db.prisma;
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
const busy = { code: 'service_unavailable', headers: { 'Retry-After': '60' } };

it.each([
  ['account.update', { name: 'New name' }, 'SELECT 1 FROM users FOR UPDATE'],
  ['catalog.createCategory', { name: 'Lamps' }, 'LOCK TABLE categories'],
])('%s, which a lock keeps waiting for too long, gets 503 with the reason', async (path, input, lockSql) => {
  await otherConnection.query(lockSql);
  const { status, error } = await admin.call(path, input);
  expect([status, error?.code]).toEqual([503, 'service_unavailable']);
  expect(error?.message).toContain('is in use');
});

it('a statement of Prisma and one of our own that wait for a lock in vain both count as busy', async () => {
  await otherConnection.query('SELECT 1 FROM shops FOR UPDATE');
  const errors = await Promise.all([
    errorOf(getPrisma().$transaction((tx) => tx.shop.updateMany({ data: { currency: 'USD' } }))),
    errorOf(getPrisma().$transaction((tx) => tx.$queryRawUnsafe('SELECT 1 FROM shops FOR UPDATE'))),
  ]);
  expect(errors).toEqual([expect.objectContaining(busy), expect.objectContaining(busy)]);
});

it('a transaction that PostgreSQL ends because of a deadlock counts as busy', async () => {
  await otherConnection.query('SELECT 1 FROM shops FOR UPDATE');
  const errorPromise = errorOf(
    getPrisma().$transaction(async (tx) => {
      await tx.$queryRawUnsafe('SELECT 1 FROM users FOR UPDATE');
      await tx.shop.updateMany({ data: { currency: 'USD' } });
    }),
  );
  await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
  await Promise.all([otherConnection.query('SELECT 1 FROM users FOR UPDATE'), errorPromise]);
  expect(await errorPromise).toMatchObject({ ...busy, cause: { code: 'P2034' } });
});

it('a transaction may take longer than five seconds in all, such as one that waits for several locks', async () => {
  const count = await getPrisma().$transaction(async (tx) => {
    await sleep(5_500);
    return tx.shop.count();
  });
  expect(count).toBe(1);
});

it('a transaction that takes too long counts as an unavailable database, which is 503', async () => {
  const error = await errorOf(
    getPrisma().$transaction(
      async (tx) => {
        await sleep(200);
        await tx.shop.count();
      },
      { timeout: 100 },
    ),
  );
  expect(error).toMatchObject({ code: 'P2028' });
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(publicError(error)).toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '5' } });
});

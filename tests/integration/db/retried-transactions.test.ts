import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inRetriedTransaction } from '../../../src/server/db/transaction';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it('a transaction that PostgreSQL ends because of a deadlock runs again, and both transactions have their effect', async () => {
  await service.database.query(
    'CREATE TABLE counters AS SELECT id, 0 AS value FROM generate_series(1, 2) AS id',
  );
  const progress = new EventEmitter();
  const bothLocked = once(progress, 'bothLocked');
  const oneCommitted = once(progress, 'committed');
  let attemptCount = 0;
  let lockedCount = 0;
  const addInOrder = async (ids: readonly number[]) => {
    await inRetriedTransaction(service.app.services.db.pool, async (client) => {
      attemptCount += 1;
      // The second attempt does not compete for the locks again.
      if (attemptCount > 2) await oneCommitted;
      const addOne = (id: number) =>
        client.query('UPDATE counters SET value = value + 1 WHERE id = $1', [id]);
      await addOne(ids[0]!);
      lockedCount += 1;
      if (lockedCount === 2) progress.emit('bothLocked');
      await bothLocked;
      await addOne(ids[1]!);
    });
    progress.emit('committed');
  };
  await Promise.all([addInOrder([1, 2]), addInOrder([2, 1])]);
  expect(attemptCount).toBe(3);
  expect(await service.database.query('SELECT id, value FROM counters ORDER BY id')).toEqual([
    { id: 1, value: 2 },
    { id: 2, value: 2 },
  ]);
});

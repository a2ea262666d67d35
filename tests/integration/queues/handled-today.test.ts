import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQueueHelpers } from '../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  queues = createQueueHelpers(service, operator);
  await queues.importStuckOrder('h1');
  await queues.handle('exception', 'h1');
});
afterAll(() => service.close());

/** Returns how many entries the operator has handled today if they handled one at this time. */
async function countIfHandledAt(time: DateTime): Promise<unknown> {
  await service.database.query('UPDATE queue_states SET handled_at = $1', [time.toISO()]);
  const { handled_today: count } = await queues.readCounts();
  return count;
}

// Without a zone of their own, users get New York's.
describe.each([
  ['Pacific/Auckland', 'Pacific/Auckland'],
  ['Asia/Shanghai', 'Asia/Shanghai'],
  [null, 'America/New_York'],
])('what a user whose time zone is %s has handled today', (timeZone, zone) => {
  beforeAll(() =>
    service.database.query('UPDATE users SET time_zone = $1 WHERE id = $2', [timeZone, operator.userId]),
  );

  it(`is counted since midnight in ${zone}`, async () => {
    const midnight = DateTime.now().setZone(zone).startOf('day');
    expect(await countIfHandledAt(midnight)).toBe(1);
    expect(await countIfHandledAt(midnight.minus({ seconds: 1 }))).toBe(0);
  });
});

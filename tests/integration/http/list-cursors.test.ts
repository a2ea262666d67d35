import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/server/core/lists/cursor';
import { type SignedIn, signedInAs } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedIn;

beforeAll(async () => {
  service = await startTestService();
  admin = await signedInAs(service, 'admin');
});
afterAll(() => service.close());

/** Days that do not exist; `POSSIBLE` does. */
const IMPOSSIBLE = ['2026-02-30', '2026-04-31', '0000-01-01'];
const POSSIBLE = '2026-02-28';

const cursorOf = {
  'records.list': (day: string) => encodeCursor('newest', [`${day}T00:00:00.000000Z`, '1']),
  'replies.list': (day: string) => encodeCursor('newest', [`${day}T00:00:00.000000Z`, '1']),
  'shipments.list': (day: string) => encodeCursor('newest', [`${day}T00:00:00.000000Z`, 'LX1']),
  'orders.list': (day: string) => encodeCursor('orders', [`${day}T00:00:00.000000Z`, '1']),
};

it.each(Object.entries(cursorOf))(
  'a cursor of %s with a day that does not exist is 422, not a failure of the database',
  async (procedure, cursor) => {
    for (const day of IMPOSSIBLE)
      expect([day, (await admin.call(procedure, { cursor: cursor(day) })).status]).toEqual([day, 422]);
    expect((await admin.call(procedure, { cursor: cursor(POSSIBLE) })).status).toBe(200);
  },
);

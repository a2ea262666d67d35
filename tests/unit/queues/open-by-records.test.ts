import { expect, it } from 'vitest';
import { countOpenOrders, findOpenOrders } from '../../../src/server/queues/entries.queries';
import { OPEN_BY_RECORDS } from '../../../src/server/queues/entry-service';

it.each([countOpenOrders, findOpenOrders])(
  'the query $name selects open entries by the conditions of OPEN_BY_RECORDS',
  ({ text }) => {
    // The conditions before the condition on the shops.
    const [, conditions] = /WHERE (.+?)\s+AND \(?(?:\$1|shop_id)/s.exec(text) ?? [];
    expect(conditions).toBe(OPEN_BY_RECORDS);
  },
);

import { expect, it } from 'vitest';
import { DATE_EXAMPLES, REFUSED_DATES } from '../../../../src/components/docs/date-examples';
import { readSaleDate } from '../../../../src/server/orders/import/sale-date';

it.each(DATE_EXAMPLES)('%s is read as the importing guide says: %s, %s', (dateText, _, instant) => {
  expect(new Date(readSaleDate(dateText)!.instantMs).toISOString()).toBe(instant.replace('Z', '.000Z'));
});

it.each(REFUSED_DATES)('%s is refused, as the importing guide says', (dateText) => {
  expect(readSaleDate(dateText)).toBeNull();
});

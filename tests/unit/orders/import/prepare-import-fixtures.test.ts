import { describe, expect, it } from 'vitest';
import { COLUMN_FIELDS, ORDER_FIELDS } from '../../../../src/server/orders/column-map';
import { readSaleDate } from '../../../../src/server/orders/import/sale-date';
import { readFixtureRows } from '../../../support/fixtures';
import { importedContents } from '../../../support/prepared-imports';

const EXPECTED_COUNTS = { us: { items: 40, orders: 37 }, uk: { items: 30, orders: 26 } };

/** Returns the day of a cell, as the service itself reads it. */
const dayOf = (cell: string) => readSaleDate(cell)?.day;

describe.each(['us', 'uk'] as const)('the %s fixture', (file) => {
  const [header, ...rows] = readFixtureRows(file);
  const { orders, items, shipments, warnings } = importedContents([header, ...rows], true);
  const orderOf = (row: readonly string[]) => orders.find((order) => order.receipt_id === row[24])!;

  it('has the expected number of orders and items, no shipment and no warning', () => {
    expect({ items: items.length, orders: orders.length }).toEqual(EXPECTED_COUNTS[file]);
    expect({ shipments, warnings }).toEqual({ shipments: [], warnings: [] });
  });

  it('gives every item the cells of its row, by position', () => {
    for (const [index, row] of rows.entries()) {
      const item = items[index]!;
      expect(item).toMatchObject({ ord: index, receipt_id: row[24] });
      for (const [column, name] of COLUMN_FIELDS.entries()) {
        const { kind, scope } = ORDER_FIELDS[name];
        if (scope !== 'item') continue;
        const cell = row[column]!.trim();
        if (cell === '') expect(item).not.toHaveProperty(name);
        else if (kind === 'money' || kind === 'quantity') expect(Number(item[name])).toBe(Number(cell));
        else expect(item[name]).toBe(cell);
      }
    }
  });

  it('gives every order its buyer, recipient, dates and status', () => {
    for (const row of rows) {
      const order = orderOf(row);
      expect(order.buyer).toBe(row[2]!.trim() || undefined);
      expect(order.name).toBe(row[17]!.trim());
      expect(order.first_line).toBe(row[18]!.trim());
      expect(order.zip).toBe(row[22] || undefined);
      expect(order.sold_on).toBe(dayOf(row[0]!));
      expect(order.shipped_indicator).toBe(row[16] ? dayOf(row[16]) : undefined);
      const [month, day, year] = row[15]!.split('/');
      expect(order.sale_date).toMatch(new RegExp(`^${year}-${month}-${day}T0[45]:00:00\\.000Z$`));
      expect(order.status).toBe(row[16] ? 'shipped' : 'paid');
    }
  });

  it('gives every order the amounts of its first row, which zeros in later rows do not replace', () => {
    const seenReceiptIds = new Set<string>();
    for (const row of rows) {
      const isFirst = !seenReceiptIds.has(row[24]!);
      seenReceiptIds.add(row[24]!);
      for (const [column, name] of [
        [8, 'shipping_discount'],
        [9, 'order_shipping'],
        [10, 'order_sales_tax'],
      ] as const) {
        if (isFirst) expect(Number(orderOf(row)[name])).toBe(Number(row[column]));
        else expect(Number(row[column])).toBe(0);
      }
    }
  });

  it('has the same items and orders, apart from the missing field, if a column is missing and the rest are read by name', () => {
    const missingColumn = 19;
    const { orders: ordersReadByName, items: itemsReadByName } = importedContents(
      [header!, ...rows].map((row) => row.toSpliced(missingColumn, 1)),
      true,
    );
    expect(itemsReadByName).toEqual(items);
    expect(ordersReadByName).toEqual(orders.map(({ second_line: _, ...order }) => order));
  });
});

it('three orders of the uk fixture have the expected discounts, shipping and tax', () => {
  const { orders } = importedContents(readFixtureRows('uk'), true);
  const amountsOf = (receiptId: string) => {
    const order = orders.find(({ receipt_id }) => receipt_id === receiptId);
    return [order?.shipping_discount, order?.order_shipping, order?.order_sales_tax];
  };
  expect(amountsOf('1875523725')).toEqual(['7.75', '0', '0']);
  expect(amountsOf('1855278511')).toEqual(['9.1', '0', '0']);
  expect(amountsOf('1864795393')).toEqual(['0', '5', '2.5']);
});

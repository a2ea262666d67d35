'use client';

import { ApiCall } from '../ui/page/api-call';

/** An import row, as a program sends it. */
const ROW = {
  receipt_id: '4165098857',
  transaction_id: '5159655655',
  title: 'Fox Sticker',
  quantity: 1,
  price: 4.49,
  currency: 'USD',
  sale_date: '08/22/2026',
  name: 'Sable Proxy',
  country_name: 'United States',
};

/** Shows how a program imports orders. */
export function ImportCall({ accountId = 1 }: { accountId?: number | undefined }) {
  return (
    <ApiCall
      request={{ method: 'POST', path: '/api/orders/import', body: { account_id: accountId, rows: [ROW] } }}
    />
  );
}

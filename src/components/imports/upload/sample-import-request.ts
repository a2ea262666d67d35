import type { ApiRequest } from '../../ui/page/api-call-text';

const SAMPLE_ROW = {
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

/** Returns a sample request that imports orders into a shop. */
export const createSampleImportRequest = (shopId = 1): ApiRequest => ({
  method: 'POST',
  path: '/api/orders/import',
  body: { account_id: shopId, rows: [SAMPLE_ROW] },
});

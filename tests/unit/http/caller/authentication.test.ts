import { createTranslator } from 'next-intl';
import { expect, it } from 'vitest';
import chinese from '../../../../messages/zh/reasons.json';
import { formatReason } from '../../../../src/components/ui/feedback/reason-text';
import type { ServiceError } from '../../../../src/server/core/errors/errors';
import { requireKey } from '../../../../src/server/http/caller/authentication';
import type { Exchange } from '../../../../src/server/http/exchange';
import { apiKeys } from '../../../../src/server/identity/secret-token';
import type { Services } from '../../../../src/server/trpc/context';

const translateToChinese = createTranslator({ locale: 'zh', messages: chinese });

it('a client whose address is unknown may not use a key with address ranges, and is told so in any language', async () => {
  const row = {
    id: 1,
    name: 'ERP',
    scopes: [],
    address_ranges: ['10.0.0.0/8'],
    revoked_at: null,
    expires_at: null,
  };
  const db = { lookups: { query: async () => ({ rows: [row] }) } };
  const exchange = { req: { headers: { 'x-api-key': apiKeys.generate().secret } }, address: '' };
  const error: ServiceError = await requireKey(
    { db, now: Date.now } as unknown as Services,
    exchange as unknown as Exchange,
  ).then(
    () => Promise.reject(new Error('was not refused')),
    (thrown) => thrown,
  );
  expect([error.code, error.message]).toEqual([
    'forbidden',
    "This API key may only be used from certain addresses, and this client's address is unknown. Use another key.",
  ]);
  expect(formatReason(error.reason, 'zh', translateToChinese)).not.toMatch(/client|unknown/);
});

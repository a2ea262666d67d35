import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listKeyOperations } from '../../../../src/server/api/operations';
import { appRouter } from '../../../../src/server/api/router';
import { isAddressRange, isInRanges } from '../../../../src/server/core/http/address-range';
import {
  addressRangeSchema,
  createKeyInput,
  rotateKeyInput,
  scopeSchema,
} from '../../../../src/server/identity/keys/schema';

const isAccepted = (text: string) => addressRangeSchema.safeParse(text).success;

describe('an address range', () => {
  it.each(['203.0.113.7', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::/0', '1.2.3.4/32'])(
    'may be %s',
    (text) => expect(isAccepted(text)).toBe(true),
  );

  it.each([
    '',
    ' ',
    'localhost',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::1/129',
    'fe80::1%eth0',
    '1.2.3.4,5.6.7.8',
    '1.2.3.4/-1',
    '0x7f.1',
  ])('may not be %j', (text) => expect(isAccepted(text)).toBe(false));

  it('that is accepted can be checked against any address, and contains its own address', () => {
    const addressOrText = fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended(), fc.string({ maxLength: 12 }));
    const range = fc.oneof(
      addressOrText,
      fc
        .tuple(addressOrText, fc.integer({ min: -1, max: 140 }))
        .map(([address, bits]) => `${address}/${bits}`),
    );
    fc.assert(
      fc.property(range, fc.oneof(fc.ipV4(), fc.ipV6()), (text, address) => {
        fc.pre(isAccepted(text));
        expect(isAddressRange(text)).toBe(true);
        expect([true, false]).toContain(isInRanges(address, [text]));
        const [ownAddress = ''] = text.split('/');
        expect(isInRanges(ownAddress, [text])).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a scope', () => {
  it('may be the name of any operation that accepts a key', () => {
    const names = listKeyOperations(appRouter).map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(16);
    expect(names).not.toContain('get_api_user');
    for (const name of names) expect(scopeSchema.parse(name)).toBe(name);
  });
});

describe('the input', () => {
  it('of a new key sets no expiry, no limits on operations or addresses, and no token budget by default', () => {
    expect(createKeyInput.parse({ name: 'a' })).toEqual({
      name: 'a',
      expires_at: null,
      scopes: [],
      address_ranges: [],
      reply_tokens_per_day: null,
    });
  });

  it.each([
    { name: '' },
    { name: 'a', expires_at: 'tomorrow' },
    { name: 'a', expires_at: '2027-02-30T00:00:00Z' },
    { name: 'a', scopes: ['Get Heads'] },
    { name: 'a', scopes: Array(101).fill('a') },
    { name: 'a', address_ranges: Array(51).fill('::1') },
    { name: 'a', more: 1 },
  ])('of a new key may not be %j', (input) => {
    expect(createKeyInput.safeParse(input).success).toBe(false);
  });

  it.each([-0.1, 24.1, null, '2', undefined])(
    'of a rotation may not have a grace period of %j hours',
    (grace_hours) => {
      expect(rotateKeyInput.safeParse({ id: 1, grace_hours }).success).toBe(false);
    },
  );
});

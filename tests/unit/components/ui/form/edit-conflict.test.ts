import { describe, expect, it } from 'vitest';
import { compareChanges } from '../../../../../src/components/ui/form/edit-conflict';

interface Shop {
  name: string;
  currency: string | null;
  expires_at: string | null;
}

const shown: Shop = { name: 'Fox', currency: 'EUR', expires_at: null };
const edit = {
  shown,
  valuesOf: ({ name, currency }: Shop) => ({ name, currency: currency ?? '', expiry: 'keep' }),
  members: { expires_at: 'expiry' } as const,
};
const compare = (now: Partial<Shop>, values: { name?: string; currency?: string; expiry?: string }) =>
  compareChanges(edit, { ...shown, ...now }, { ...edit.valuesOf(shown), ...values });

describe('a form whose record was changed in the meantime', () => {
  it('updates the fields that this user did not touch', () => {
    expect(compare({ currency: 'USD' }, { name: 'Wolf' })).toEqual({ taken: ['currency'], differing: [] });
  });

  it('asks about fields that both users changed, with both values', () => {
    expect(compare({ currency: null, name: 'Owl' }, { name: 'Wolf' })).toEqual({
      taken: ['currency'],
      differing: [{ name: 'name', now: 'Owl', mine: 'Wolf' }],
    });
  });

  it('does not mention a change that both users made', () => {
    expect(compare({ name: 'Owl' }, { name: 'Owl' })).toEqual({ taken: [], differing: [] });
  });

  it('asks about a field that the form shows under another name', () => {
    expect(compare({ expires_at: '2099-01-01' }, { expiry: 'never' }).differing).toEqual([
      { name: 'expiry', now: 'keep', mine: 'never' },
    ]);
    expect(compare({ expires_at: '2099-01-01' }, {}).taken).toEqual(['expiry']);
  });
});

import { describe, expect, it } from 'vitest';
import { compareChanges } from '../../../../../src/components/ui/form/edit-conflict';

interface Shop {
  name: string;
  currency: string | null;
  expires_at: string | null;
}

const shownShop: Shop = { name: 'Fox', currency: 'EUR', expires_at: null };
const edit = {
  shown: shownShop,
  valuesOf: ({ name, currency }: Shop) => ({ name, currency: currency ?? '', expiry: 'keep' }),
  fieldNames: { expires_at: 'expiry' } as const,
};
const compare = (
  storedFields: Partial<Shop>,
  enteredValues: { name?: string; currency?: string; expiry?: string },
) =>
  compareChanges(edit, { ...shownShop, ...storedFields }, { ...edit.valuesOf(shownShop), ...enteredValues });

describe('a form whose record has changed in the meantime', () => {
  it('adopts the stored values of fields that this user did not change', () => {
    expect(compare({ currency: 'USD' }, { name: 'Wolf' })).toEqual({
      adoptedNames: ['currency'],
      conflictingFields: [],
    });
  });

  it('asks about fields that both users changed, with both values', () => {
    expect(compare({ currency: null, name: 'Owl' }, { name: 'Wolf' })).toEqual({
      adoptedNames: ['currency'],
      conflictingFields: [{ name: 'name', storedValue: 'Owl', enteredValue: 'Wolf' }],
    });
  });

  it('does not mention a change that both users made', () => {
    expect(compare({ name: 'Owl' }, { name: 'Owl' })).toEqual({ adoptedNames: [], conflictingFields: [] });
  });

  it('recognises a stored field that the form has under another name', () => {
    expect(compare({ expires_at: '2099-01-01' }, { expiry: 'never' }).conflictingFields).toEqual([
      { name: 'expiry', storedValue: 'keep', enteredValue: 'never' },
    ]);
    expect(compare({ expires_at: '2099-01-01' }, {}).adoptedNames).toEqual(['expiry']);
  });
});

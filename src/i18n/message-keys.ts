import type { MessageKeys, NestedKeyOf } from 'next-intl';
import type { Area, Messages } from './messages';

type KeyOf<A extends Area> = MessageKeys<Messages[A], NestedKeyOf<Messages[A]>>;

/**
 * Declares a table of one area's message keys, for messages that depend on data. A key that is not a literal in the call to `t`
 * must come from such a table or from {@link ownKeys}: the test for missing and unused messages reads them.
 */
export function messageKeys<A extends Area, const T extends Record<string, KeyOf<A>>>(_area: A, table: T): T {
  return table;
}

/** Declares a table of one area's message keys that are the keys of another table in the same file. */
export function ownKeys<A extends Area, const T extends Partial<Record<KeyOf<A>, unknown>>>(
  _area: A,
  table: T,
): { readonly [Key in keyof T]: Key } {
  return Object.fromEntries(Object.keys(table).map((key) => [key, key])) as { [Key in keyof T]: Key };
}

import type { MessageKeys, NestedKeyOf } from 'next-intl';
import type { Area, Messages } from './messages';

type KeyOf<A extends Area> = MessageKeys<Messages[A], NestedKeyOf<Messages[A]>>;

/**
 * A table of one area's message keys, for texts that depend on data. This and {@link ownKeys} are the only ways to use a key that is not written out
 * where it is used: the test for missing and unused messages reads these tables.
 */
export function messageKeys<A extends Area, const T extends Record<string, KeyOf<A>>>(_area: A, table: T): T {
  return table;
}

/** A table of one area's message keys, made from another table that is written out in the same file and has these keys. */
export function ownKeys<A extends Area, const T extends Partial<Record<KeyOf<A>, unknown>>>(
  _area: A,
  table: T,
): { readonly [Key in keyof T]: Key } {
  return Object.fromEntries(Object.keys(table).map((key) => [key, key])) as { [Key in keyof T]: Key };
}

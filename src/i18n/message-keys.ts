import type { MessageKeys, NestedKeyOf } from 'next-intl';
import type { Area, Messages } from './messages';

type KeyOf<A extends Area> = MessageKeys<Messages[A], NestedKeyOf<Messages[A]>>;

/**
 * A table of one area's message keys, for texts that depend on data. It is the only way to use a key that is not written out
 * where it is used: the test for missing and unused messages reads these tables.
 */
export function messageKeys<A extends Area, const T extends Record<string, KeyOf<A>>>(_area: A, table: T): T {
  return table;
}

import type { MessageKeys, NestedKeyOf } from 'next-intl';
import type { Area, Messages } from './messages';

type KeyOf<A extends Area> = MessageKeys<Messages[A], NestedKeyOf<Messages[A]>>;

/**
 * A table of message keys of one area, for words that depend on data. It is the only way to a key that is not written out where
 * it is used: the test that finds missing and unused messages reads these tables.
 */
export function messageKeys<A extends Area, const T extends Record<string, KeyOf<A>>>(_area: A, table: T): T {
  return table;
}

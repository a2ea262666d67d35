import type { MessageKeys, NestedKeyOf } from 'next-intl';
import type { Messages, Namespace } from './messages';

type KeyOf<A extends Namespace> = MessageKeys<Messages[A], NestedKeyOf<Messages[A]>>;

/**
 * Declares a table of one namespace's message keys, for messages that depend on data. A key that is not a literal in the call
 * to `t` must come from such a table or from {@link ownKeys}: the test for missing and unused messages reads them.
 */
export function messageKeys<A extends Namespace, const T extends Record<string, KeyOf<A>>>(
  _namespace: A,
  table: T,
): T {
  return table;
}

/**
 * Declares that the keys of a table in the same file are message keys of one namespace. Returns a table that maps each key to
 * itself.
 */
export function ownKeys<A extends Namespace, const T extends Partial<Record<KeyOf<A>, unknown>>>(
  _namespace: A,
  table: T,
): { readonly [Key in keyof T]: Key } {
  return Object.fromEntries(Object.keys(table).map((key) => [key, key])) as { [Key in keyof T]: Key };
}

import type { NamesIn, Reason } from './reason';
import type { REASONS } from './reasons';

type Table = typeof REASONS;

/** Names of values, by group and reason. A name that does not occur in the reason's sentence is a compile error. */
type ValueNames = {
  readonly [G in keyof Table]?: { readonly [N in keyof Table[G]]?: readonly NamesIn<Table[G][N]>[] };
};

/**
 * The values that are our own limits, words and names, never what somebody sent. The request log of API keys keeps only these:
 * any other value may be personal, and so may that of a reason that nobody has listed.
 */
const OWN_VALUES: ValueNames = {
  text: { long: ['count'], short: ['count'], depth: ['maximum'] },
  type: {
    exactLength: ['count'],
    fewItems: ['count'],
    manyItems: ['count'],
    above: ['minimum'],
    below: ['maximum'],
    multiple: ['count'],
    kinds: ['kinds'],
    oneOf: ['names'],
    begins: ['text'],
    ends: ['text'],
    contains: ['text'],
  },
  kind: { oneOf: ['names'] },
  input: { within: ['count'], daysFrom: ['count'], monthsFrom: ['count'] },
  join: { more: ['count'] },
  body: { manyMembers: ['count'], unknownFieldKnown: ['names'] },
  request: {
    keyLimit: ['count', 'seconds'],
    keyTokensUsed: ['budget', 'seconds'],
    keyTokensReserved: ['budget', 'seconds'],
    method: ['methods'],
    scope: ['operation'],
    messageSize: ['count'],
  },
  service: {
    bodyTooLarge: ['count'],
    bodyTooDeep: ['maximum'],
    bodyLate: ['seconds'],
    bodySlow: ['seconds', 'rate'],
  },
  cell: {
    wholeRange: ['minimum', 'maximum'],
    extraName: ['count'],
    extraSize: ['count'],
    extraFull: ['count'],
  },
  rows: { most: ['count'], tooLong: ['count'] },
  csv: { least: ['minimum'], most: ['maximum'], extra: ['count'], ownColumn: ['name'] },
};

const OWN_NAMES = new Map<string, ReadonlySet<string>>(
  Object.entries(OWN_VALUES).flatMap(([group, namesByReason]) =>
    Object.entries(namesByReason as Record<string, readonly string[]>).map(
      ([name, valueNames]) => [`${group}.${name}`, new Set(valueNames)] as const,
    ),
  ),
);

/** Returns whether a value of a reason is our own limit, word or name, so that it cannot be personal. */
export function isOwnValue({ reason }: Pick<Reason, 'reason'>, valueName: string): boolean {
  return OWN_NAMES.get(reason)?.has(valueName) ?? false;
}

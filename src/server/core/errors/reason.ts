import type { REASONS } from './reasons';

type Table = typeof REASONS;

/** A key of the reasons table, such as `text.empty`. */
export type ReasonKey = { [G in keyof Table & string]: `${G}.${keyof Table[G] & string}` }[keyof Table &
  string];

/** A value in a sentence: a string, a number, another reason, or a list of alternatives. */
export type ReasonValue = string | number | Reason | readonly (string | Reason)[];

/** Why something is refused or flagged: a key of the reasons table and the values for its sentence. Created by `createReason`. */
export interface Reason {
  readonly reason: ReasonKey;
  readonly values: Readonly<Record<string, ReasonValue>>;
}

/** A problem with a request: where it is, as a dotted path, and why. */
export interface Problem extends Reason {
  readonly path: string;
}

type SentenceOf<K extends ReasonKey> = K extends `${infer G extends keyof Table & string}.${infer N}`
  ? N extends keyof Table[G]
    ? Table[G][N]
    : never
  : never;

/** The names in braces in a sentence. */
export type NamesIn<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The values that a reason needs: none, or all those that its sentence names. */
export type ValuesOf<K extends ReasonKey> = [NamesIn<SentenceOf<K>>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<SentenceOf<K>>, ReasonValue>>];

/** Creates a reason. An unknown key, or values that do not match its sentence, do not compile. */
export function createReason<K extends ReasonKey>(reason: K, ...[values]: ValuesOf<K>): Reason {
  return { reason, values: values ?? {} };
}

/** Creates a problem at a path. */
export function problemAt(path: string, { reason, values }: Reason): Problem {
  return { path, reason, values };
}

import type { REASONS } from './reasons';

type Table = typeof REASONS;

/** A reason's name in the table of reasons, such as `text.empty`. */
export type ReasonKey = { [G in keyof Table & string]: `${G}.${keyof Table[G] & string}` }[keyof Table &
  string];

/** What a sentence is filled with: a text, a number, another reason, or several things of which any would do. */
export type Value = string | number | Reason | readonly (string | Reason)[];

/** Why something is refused or doubted: a key of the table of reasons, and the values that its sentence names. Made by `because`. */
export interface Reason {
  readonly reason: ReasonKey;
  readonly values: Readonly<Record<string, Value>>;
}

/** One thing that is wrong with what was sent: where, as a dotted path, and why. */
export interface Problem extends Reason {
  readonly path: string;
}

type SentenceOf<K extends ReasonKey> = K extends `${infer G extends keyof Table & string}.${infer N}`
  ? N extends keyof Table[G]
    ? Table[G][N]
    : never
  : never;

type NamesIn<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The values that a reason wants: none, or all that its sentence names. */
export type ValuesOf<K extends ReasonKey> = [NamesIn<SentenceOf<K>>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<SentenceOf<K>>, Value>>];

/** Makes a reason. A key that the table does not have, or a value that its sentence lacks, does not compile. */
export function because<K extends ReasonKey>(reason: K, ...[values]: ValuesOf<K>): Reason {
  return { reason, values: values ?? {} };
}

/** Makes a problem: where something is wrong, and why. */
export function problemAt(path: string, { reason, values }: Reason): Problem {
  return { path, reason, values };
}

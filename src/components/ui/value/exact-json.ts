import { parse, stringify } from 'lossless-json';

/**
 * Parses JSON and keeps every number as it is written, such as a tracking number beyond 2^53 or `1e400`, so that
 * {@link formatExactJson} writes the same digits. A byte order mark is ignored; of equal keys, the last one counts, as in the service.
 */
export const parseExactJson = (text: string): unknown =>
  parse(text.replace(/^\uFEFF/, ''), null, { onDuplicateKey: ({ newValue }) => newValue });

/** Returns a value, which may come from {@link parseExactJson}, as JSON; in several lines with `indent` spaces for each level. */
export const formatExactJson = (value: unknown, indent?: number): string => stringify(value, null, indent)!;

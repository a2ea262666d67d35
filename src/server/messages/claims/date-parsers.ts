import * as chrono from 'chrono-node';

/** A date that chrono found. */
export interface ParsedDate {
  /** The index in the given text. */
  index: number;
  /** The date as written. */
  text: string;
  /** What chrono read. Its text has one white-space character in place of several. */
  result: chrono.ParsedResult;
}

/** Finds dates in a text of limited length. */
export type DateParser = (text: string, referenceDay: Date) => ParsedDate[];

/** The end of chrono's pattern for a list of time spans ("1 week, 2 days and 3 hours"): up to ten may follow the first. */
const TEN_MORE_SPANS = '){0,10}';
/**
 * White space and commas between two spans match that pattern in several ways, and all combinations are tried before a list is
 * given up. For eleven spans those are billions. Nobody lists more than three.
 */
const TWO_MORE_SPANS = '){0,2}';

const limitedPatterns = new Map<string, RegExp>();

function limitSpans({ source, flags }: RegExp): RegExp {
  const key = `${flags} ${source}`;
  const limitedPattern =
    limitedPatterns.get(key) ?? new RegExp(source.replaceAll(TEN_MORE_SPANS, TWO_MORE_SPANS), flags);
  limitedPatterns.set(key, limitedPattern);
  return limitedPattern;
}

/** Returns a parser with the same results, except that it reads a list of more than three time spans in parts. */
const withLimitedSpans = (parser: chrono.Parser): chrono.Parser => ({
  pattern: (context) => limitSpans(parser.pattern(context)),
  extract: (context, match) => parser.extract(context, match),
});

/** Keeps the first character of each run of white space. Also returns the index in `text` of each character that was kept. */
function collapseWhiteSpace(text: string): { collapsedText: string; indexes: number[] } {
  const indexes: number[] = [];
  let collapsedText = '';
  for (const { 0: part, index } of text.matchAll(/\s+|\S+/g)) {
    const keptPart = /^\s/.test(part) ? part[0]! : part;
    for (let offset = 0; offset < keptPart.length; offset++) indexes.push(index + offset);
    collapsedText += keptPart;
  }
  return { collapsedText, indexes };
}

/**
 * Makes chrono's parser of a language safe for any text: its time no longer grows exponentially with the number of time spans
 * or with the white space between them.
 */
export function createDateParser({ parsers, refiners }: chrono.Chrono): DateParser {
  const parser = new chrono.Chrono({ parsers: parsers.map(withLimitedSpans), refiners });
  return (text, referenceDay) => {
    const { collapsedText, indexes } = collapseWhiteSpace(text);
    return parser.parse(collapsedText, referenceDay).map((result) => {
      const index = indexes[result.index]!;
      const end = indexes[result.index + result.text.length - 1]! + 1;
      return { index, text: text.slice(index, end), result };
    });
  };
}

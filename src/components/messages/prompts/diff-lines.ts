import { diffLines, diffWordsWithSpace } from 'diff';

/** A piece of a line; `changed` if the other side differs there. */
interface Part {
  text: string;
  changed: boolean;
}

/** A line of each side; null if that side has none. */
export interface LinePair {
  left: Part[] | null;
  right: Part[] | null;
  same: boolean;
}

const linesOf = (value: string) => value.replace(/\n$/, '').split('\n');
const asUnchanged = (text: string): Part[] => [{ text, changed: false }];

/** Compares two corresponding lines word by word. */
function pairOf(before: string, after: string): LinePair {
  const words = diffWordsWithSpace(before, after);
  const side = (other: 'added' | 'removed') =>
    words
      .filter((word) => !word[other])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return { left: side('added'), right: side('removed'), same: false };
}

/** Pairs the lines of two texts: equal lines, and replaced lines with the words that differ. */
export function pairLines(before: string, after: string): LinePair[] {
  const pairs: LinePair[] = [];
  let removed: string[] = [];
  const flush = (added: readonly string[]) => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      const left = removed[index];
      const right = added[index];
      if (left !== undefined && right !== undefined) pairs.push(pairOf(left, right));
      else
        pairs.push({
          left: left === undefined ? null : asUnchanged(left),
          right: right === undefined ? null : asUnchanged(right),
          same: false,
        });
    }
    removed = [];
  };
  // A missing line break at the end is not a visible difference.
  const ended = (text: string) => (text.endsWith('\n') ? text : `${text}\n`);
  for (const chunk of diffLines(ended(before), ended(after))) {
    const lines = linesOf(chunk.value);
    if (chunk.removed) removed = lines;
    else if (chunk.added) flush(lines);
    else {
      flush([]);
      pairs.push(...lines.map((line) => ({ left: asUnchanged(line), right: asUnchanged(line), same: true })));
    }
  }
  flush([]);
  return pairs;
}

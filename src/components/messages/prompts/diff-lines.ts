import { diffLines, diffWordsWithSpace } from 'diff';

/** A piece of a line; `isChanged` if the paired line differs there. */
interface Part {
  text: string;
  isChanged: boolean;
}

/** A line of each side; null if that side has none. */
export interface LinePair {
  left: Part[] | null;
  right: Part[] | null;
  isSame: boolean;
}

const linesOf = (value: string) => value.replace(/\n$/, '').split('\n');
const asOnePart = (text: string): Part[] => [{ text, isChanged: false }];

/** Compares two corresponding lines word by word. */
function pairOf(before: string, after: string): LinePair {
  const words = diffWordsWithSpace(before, after);
  const partsWithout = (omittedChange: 'added' | 'removed') =>
    words
      .filter((word) => !word[omittedChange])
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
  return { left: partsWithout('added'), right: partsWithout('removed'), isSame: false };
}

/**
 * Pairs the lines of two texts: each unchanged line with its counterpart, and each replaced line with its replacement, with the
 * words that differ marked. Other lines have no partner.
 */
export function pairLines(before: string, after: string): LinePair[] {
  const pairs: LinePair[] = [];
  let removedLines: string[] = [];
  const pairChangedLines = (addedLines: readonly string[]) => {
    for (let index = 0; index < Math.max(removedLines.length, addedLines.length); index++) {
      const left = removedLines[index];
      const right = addedLines[index];
      if (left !== undefined && right !== undefined) pairs.push(pairOf(left, right));
      else
        pairs.push({
          left: left === undefined ? null : asOnePart(left),
          right: right === undefined ? null : asOnePart(right),
          isSame: false,
        });
    }
    removedLines = [];
  };
  // A missing line break at the end is not a visible difference.
  const withFinalLineBreak = (text: string) => (text.endsWith('\n') ? text : `${text}\n`);
  for (const chunk of diffLines(withFinalLineBreak(before), withFinalLineBreak(after))) {
    const lines = linesOf(chunk.value);
    if (chunk.removed) removedLines = lines;
    else if (chunk.added) pairChangedLines(lines);
    else {
      pairChangedLines([]);
      pairs.push(...lines.map((line) => ({ left: asOnePart(line), right: asOnePart(line), isSame: true })));
    }
  }
  pairChangedLines([]);
  return pairs;
}

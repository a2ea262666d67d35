export const LINE_BREAK = /\r\n?|\n/g;

/** Splits a text into its lines, whatever cells they have. */
export const linesOfText = (text: string) => text.split(LINE_BREAK);

/** The number of each line of a text in the original paste; null for a line that was added since. */
export type LineNumbers = readonly (number | null)[];

/**
 * Returns the line numbers of an edited text: a line that was changed keeps its number, and so do the lines before and after the
 * edit. Returns null, for numbers as in the text, if the edit left no line of a longer text as it was, or if one of the texts is
 * blank: the user has pasted another text.
 */
export function carryOverLineNumbers(
  oldText: string,
  numbers: LineNumbers,
  newText: string,
): LineNumbers | null {
  const [oldLines, newLines] = [linesOfText(oldText), linesOfText(newText)];
  const shorterLength = Math.min(oldLines.length, newLines.length);
  let start = 0;
  while (start < shorterLength && oldLines[start] === newLines[start]) start += 1;
  let end = 0;
  while (end < shorterLength - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end += 1;
  const isOtherText = start + end === 0 && Math.max(oldLines.length, newLines.length) > 1;
  if (oldText.trim() === '' || newText.trim() === '' || isOtherText) return null;
  return [
    ...numbers.slice(0, start),
    ...newLines
      .slice(start, newLines.length - end)
      .map((_, index) => (start + index < oldLines.length - end ? numbers[start + index]! : null)),
    ...numbers.slice(oldLines.length - end),
  ];
}

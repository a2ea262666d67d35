/** A piece of a text, and whether it is marked. */
export interface TextPart {
  text: string;
  isMarked: boolean;
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Splits a text at the values that it contains; if two start at the same position, the longer one wins. */
export function markParts(text: string, values: readonly string[]): TextPart[] {
  const distinctValues = [...new Set(values)]
    .filter((value) => value !== '')
    .sort((a, b) => b.length - a.length);
  if (distinctValues.length === 0) return [{ text, isMarked: false }];
  return text
    .split(new RegExp(`(${distinctValues.map(escapeRegExp).join('|')})`, 'u'))
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

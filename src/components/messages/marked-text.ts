/** A piece of a text, and whether it is one of the values that were looked for. */
export interface MarkedPart {
  text: string;
  marked: boolean;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Cuts a text where it says one of the values; where two begin at the same place the longer one counts. */
export function markParts(text: string, values: readonly string[]): MarkedPart[] {
  const wanted = [...new Set(values)].filter((value) => value !== '').sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return [{ text, marked: false }];
  return text
    .split(new RegExp(`(${wanted.map(escaped).join('|')})`, 'u'))
    .map((part, index) => ({ text: part, marked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

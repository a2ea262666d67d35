/** Returns the name of the column with a zero-based index, as spreadsheet programs show it: `A`, `B`, ..., `Z`, `AA`. */
export function columnLetters(column: number): string {
  const quotient = Math.floor(column / 26);
  return (quotient === 0 ? '' : columnLetters(quotient - 1)) + String.fromCharCode(65 + (column % 26));
}

/** Returns the zero-based index of the column with this name; -1 for an empty name. */
export function columnIndex(letters: string): number {
  let position = 0;
  for (const letter of letters) position = position * 26 + letter.charCodeAt(0) - 64;
  return position - 1;
}

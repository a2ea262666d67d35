/** Returns the name of a column, counted from 0, as spreadsheet programs show it: `A`, `B`, ..., `Z`, `AA`. */
export function columnLetters(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? '' : columnLetters(rest - 1)) + String.fromCharCode(65 + (column % 26));
}

/** Returns the number of a column by its name, counted from 0; -1 for an empty name. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

/** Returns a string in the form used for comparisons: width, case and repeated spaces make no difference. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

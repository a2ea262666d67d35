/** Returns a string in the form used for comparisons: width, case, and surrounding or repeated spaces do not count. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

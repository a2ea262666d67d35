/** The form in which words are compared: width, case and spaces make no difference. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

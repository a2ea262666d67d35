/** Returns whether one of the texts contains the search text, in any case: for lists that are completely in the browser. */
export function matches(search: string | undefined, texts: readonly (string | null)[]): boolean {
  if (!search) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

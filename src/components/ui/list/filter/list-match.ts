/**
 * Returns whether one of the strings contains the search text, ignoring case; true without a search text. For lists that are
 * completely loaded.
 */
export function matchesSearch(search: string | undefined, texts: readonly (string | null)[]): boolean {
  if (!search) return true;
  const needle = search.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(needle));
}

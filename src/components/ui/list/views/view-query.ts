/** The URL parameters that are not part of a view: the page, and the open row. */
const PASSING = ['after', 'open'];

/**
 * Returns the filters and the sort order in the URL of a list: the query that a saved view stores.
 * @param defaults parameters that the URL may leave out, such as the default tab
 */
export function viewQuery(
  parameters: { toString(): string },
  always: Readonly<Record<string, string>> = {},
): string {
  const kept = new URLSearchParams(parameters.toString());
  for (const name of PASSING) kept.delete(name);
  for (const [name, value] of Object.entries(always)) kept.set(name, value);
  kept.sort();
  return kept.toString();
}

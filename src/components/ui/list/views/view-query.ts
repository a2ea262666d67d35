/** The URL parameters that are not part of a view: the page, and the open row. */
const TRANSIENT_PARAMETERS = ['cursor', 'open'];

/**
 * Returns the filters and the sort order in the URL of a list: the query that a saved view stores.
 * @param overrides parameters to set in any case, such as the tab, which the URL may leave out
 */
export function viewQuery(
  parameters: { toString(): string },
  overrides: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(parameters.toString());
  for (const name of TRANSIENT_PARAMETERS) query.delete(name);
  for (const [name, value] of Object.entries(overrides)) query.set(name, value);
  query.sort();
  return query.toString();
}

/** Parameters of a list's address that belong to a visit, not to the view: the page, and the row that is open. */
const PASSING = ['after', 'open'];

/**
 * The filters and the order of a list as its address has them: what a saved view keeps.
 *
 * @param always parameters that the address may leave out, such as the tab that opens by default
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

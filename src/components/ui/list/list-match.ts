/** Whether one of the texts holds what is looked for, in any case: for lists that are whole in the browser. */
export function matches(search: string | undefined, texts: readonly (string | null)[]): boolean {
  if (!search) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text?.toLowerCase().includes(wanted));
}

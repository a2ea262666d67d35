/**
 * Returns the names that a marketplace may show for a buyer: `Name (username)`, each of its two parts, and the recipient's
 * name.
 */
export function namesOfBuyer(buyer: string | null, recipient: string | null): string[] {
  const parts = /^(.*)\(([^()]*)\)$/s.exec(buyer?.trim() ?? '');
  return [buyer, recipient, parts?.[1], parts?.[2]].filter((name): name is string => Boolean(name?.trim()));
}

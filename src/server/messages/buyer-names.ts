/**
 * Returns the names that a marketplace may show for a buyer: `Name (username)`, each of its two parts, and the recipient's
 * name.
 */
export function namesOfBuyer(buyer: string | null, recipient: string | null): string[] {
  const both = /^(.*)\(([^()]*)\)$/s.exec(buyer?.trim() ?? '');
  return [buyer, recipient, both?.[1], both?.[2]].filter((name): name is string => Boolean(name?.trim()));
}

/** The names by which a marketplace may show a buyer: `Name (username)`, both parts of it, and the recipient's. */
export function namesOfBuyer(buyer: string | null, recipient: string | null): string[] {
  const both = /^(.*)\(([^()]*)\)$/s.exec(buyer?.trim() ?? '');
  return [buyer, recipient, both?.[1], both?.[2]].filter((name): name is string => Boolean(name?.trim()));
}

/** The parts of a shipping address; any of them may be missing. */
type Address = Record<
  'name' | 'first_line' | 'second_line' | 'city' | 'state' | 'zip' | 'country_name',
  string | null
>;

/** Returns the lines of an address, as on a label. */
export function addressLinesOf(address: Address): string[] {
  const region = [address.state, address.zip].filter(Boolean).join(' ');
  const cityLine = [address.city, region].filter(Boolean).join(', ');
  const lines = [address.name, address.first_line, address.second_line, cityLine, address.country_name];
  return lines.filter((line): line is string => Boolean(line));
}

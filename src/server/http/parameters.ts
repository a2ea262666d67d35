/**
 * Returns all values of each query parameter. Reads the parameters once: `getAll` searches all of them each time, so calling it
 * for each name would take minutes for tens of thousands of names.
 */
export function valuesByName(parameters: URLSearchParams): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const values = groups.get(name);
    if (values) values.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}

/** What happened to each entry, by its id. */
export type Outcomes = ReadonlyMap<string, string>;

/** Splits entries into groups with a total weight of at most `maxWeight`; a heavier entry becomes a group of its own. */
export function groupsOf<E>(entries: readonly E[], maxWeight: number, weightOf: (entry: E) => number): E[][] {
  const groups: E[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const entryWeight = weightOf(entry);
    if (weight + entryWeight > maxWeight) {
      groups.push([]);
      weight = 0;
    }
    groups.at(-1)!.push(entry);
    weight += entryWeight;
  }
  return groups;
}

/**
 * Runs an action on each group of entries in turn. If it fails for a group, each entry of that group gets the message, and the run
 * continues.
 * @param onOutcomes receives the outcomes of each group when it is done
 */
export async function runGroups<E extends { id: string }>(
  groups: readonly (readonly E[])[],
  run: (group: readonly E[]) => Promise<Outcomes>,
  messageOf: (error: unknown) => string,
  onOutcomes: (outcomes: Outcomes) => void,
): Promise<void> {
  for (const group of groups) {
    const outcomes = await run(group).catch(
      (error: unknown) => new Map(group.map(({ id }) => [id, messageOf(error)])),
    );
    onOutcomes(outcomes);
  }
}

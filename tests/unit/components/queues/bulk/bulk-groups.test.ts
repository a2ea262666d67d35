import { describe, expect, it } from 'vitest';
import { groupsOf, type Outcomes, runGroups } from '../../../../../src/components/queues/bulk/bulk-groups';

const entries = ['1', '2', '3', '4', '5'].map((id) => ({ id }));
const idsOf = (groups: readonly (readonly { id: string }[])[]) =>
  groups.map((group) => group.map(({ id }) => id));

describe('entries handled in bulk', () => {
  it('are sent in groups no heavier than allowed; an entry that is heavier is sent alone', () => {
    expect(idsOf(groupsOf(entries, 2, () => 1))).toEqual([['1', '2'], ['3', '4'], ['5']]);
    expect(idsOf(groupsOf(entries, 3, ({ id }) => Number(id)))).toEqual([['1', '2'], ['3'], ['4'], ['5']]);
    expect(groupsOf([], 3, () => 1)).toEqual([]);
  });

  it('get the reason why their group failed, and later groups are still sent', async () => {
    const reportedOutcomes: Outcomes[] = [];
    await runGroups(
      groupsOf(entries, 2, () => 1),
      async (group) => {
        if (group.some(({ id }) => id === '3')) throw new Error('offline');
        return new Map(group.map(({ id }) => [id, 'done']));
      },
      (error) => (error as Error).message,
      (outcomes) => reportedOutcomes.push(outcomes),
    );
    expect(reportedOutcomes.flatMap((outcomes) => [...outcomes])).toEqual([
      ['1', 'done'],
      ['2', 'done'],
      ['3', 'offline'],
      ['4', 'offline'],
      ['5', 'done'],
    ]);
  });
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRunInTurn } from '../../../src/server/core/run-in-turn';

describe('tasks with the same key', () => {
  it('run one at a time and in order, while tasks with other keys run too', async () => {
    const runTask = createRunInTurn();
    const log: string[] = [];
    const createTask = (name: string, turnCount: number) => async () => {
      log.push(`${name} begins`);
      for (let nth = 0; nth < turnCount; nth++) await nextTurn();
      log.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([
      runTask('a', createTask('first', 5)),
      runTask('a', createTask('second', 1)),
      runTask('b', createTask('other', 1)),
    ]);
    expect(results).toEqual(['first', 'second', 'other']);
    expect(log).toEqual([
      'first begins',
      'other begins',
      'other ends',
      'first ends',
      'second begins',
      'second ends',
    ]);
  });

  it('run even if the one before them failed, and their key is forgotten after the last one', async () => {
    const runTask = createRunInTurn();
    const failingTaskPromise = runTask('a', async () => {
      await nextTurn();
      throw new Error('no');
    });
    const nextTaskPromise = runTask('a', async () => 'done');
    expect(runTask.keyCount()).toBe(1);
    await expect(failingTaskPromise).rejects.toThrow('no');
    expect(await nextTaskPromise).toBe('done');
    expect(runTask.keyCount()).toBe(0);
  });
});

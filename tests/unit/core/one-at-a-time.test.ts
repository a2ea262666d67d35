import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/server/core/one-at-a-time';

describe('tasks with the same key', () => {
  it('run one at a time and in order, while tasks with other keys run too', async () => {
    const run = oneAtATime();
    const log: string[] = [];
    const task = (name: string, turns: number) => async () => {
      log.push(`${name} begins`);
      for (let nth = 0; nth < turns; nth++) await turn();
      log.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([
      run('a', task('first', 5)),
      run('a', task('second', 1)),
      run('b', task('other', 1)),
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

  it('continue after a failure, and leave nothing behind', async () => {
    const run = oneAtATime();
    const failing = run('a', async () => {
      await turn();
      throw new Error('no');
    });
    const next = run('a', async () => 'done');
    expect(run.keyCount()).toBe(1);
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
    expect(run.keyCount()).toBe(0);
  });
});

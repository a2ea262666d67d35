import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/server/core/one-at-a-time';

describe('work of one key', () => {
  it('runs one at a time and in order, while other keys go on', async () => {
    const run = oneAtATime();
    const log: string[] = [];
    const work = (name: string, turns: number) => async () => {
      log.push(`${name} begins`);
      for (let nth = 0; nth < turns; nth++) await turn();
      log.push(`${name} ends`);
      return name;
    };
    const results = await Promise.all([
      run('a', work('first', 5)),
      run('a', work('second', 1)),
      run('b', work('other', 1)),
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

  it('goes on after a failure, and leaves nothing behind', async () => {
    const run = oneAtATime();
    const failing = run('a', async () => {
      await turn();
      throw new Error('no');
    });
    const next = run('a', async () => 'done');
    expect(run.keys()).toBe(1);
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
    expect(run.keys()).toBe(0);
  });
});

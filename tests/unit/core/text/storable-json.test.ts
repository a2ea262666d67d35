import { describe, expect, it } from 'vitest';
import { englishProblem } from '../../../../src/server/core/errors/errors';
import type { Problem } from '../../../../src/server/core/errors/reason';
import { findStorageProblems, storageProblem } from '../../../../src/server/core/text/storable-json';
import { leastCpuMs } from '../../../support/process/cpu-time';

function problemsOf(value: unknown): { path: string; message: string }[] {
  const problems: Problem[] = [];
  findStorageProblems(value, (createProblem) => problems.push(createProblem()));
  return problems.map(englishProblem);
}
const pathsOf = (json: string) => problemsOf(JSON.parse(json)).map(({ path }) => path);

describe('the problems of a value that is stored as JSON', () => {
  it('are all found, in the order of the text', () => {
    const json =
      '{"a":12345678901234567890,"b":{"c":[1,-12345678901234567890,{"d":1e999}]},"e":"\\u0000","f":"\\ud800","g":1}';
    expect(pathsOf(json)).toEqual(['a', 'b.c.1', 'b.c.2.d', 'e', 'f']);
  });

  it('include those of a member whose name cannot be stored either', () => {
    expect(problemsOf(JSON.parse('{"a":{"\\u0000":1e999}}'))).toEqual([
      { path: 'a', message: expect.stringContaining('name') },
      { path: 'a.\uFFFD', message: 'must be a finite number' },
    ]);
  });

  it('end at what is nested too deep, however deep that is', () => {
    let value: unknown = Infinity;
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(problemsOf({ deep: value, next: Infinity })).toMatchObject([
      { path: expect.stringMatching(/^deep(?:\.0){31}$/), message: expect.stringContaining('32') },
      { path: 'next' },
    ]);
  });

  it('are counted in linear time, and created only on demand', () => {
    const value = JSON.parse(`{"a":[${'1e999,'.repeat(170_000)}0]}`);
    const cpuMs = leastCpuMs(() => {
      let count = 0;
      findStorageProblems(value, () => void count++);
      expect(count).toBe(170_000);
    });
    expect(cpuMs).toBeLessThan(1_000);
  });

  it('are none if everything can be stored', () => {
    expect(pathsOf('{"a":[1,0.1,9007199254740991,"\\ud83d\\ude00",true,null,{}]}')).toEqual([]);
    expect(storageProblem({ a: 1 })).toBeNull();
  });
});

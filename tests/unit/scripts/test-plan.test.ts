import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface TestPlan {
  PARTS: string[];
  planTests(args: readonly string[], root: string, baseFolder?: string): { part: string; paths: string[] }[];
}

const root = path.resolve(import.meta.dirname, '../../..');
// The script has no types of its own.
const script: unknown = await import(pathToFileURL(path.join(root, 'scripts/test-plan.mjs')).href);
const { PARTS, planTests } = script as TestPlan;

const planOf = (...args: string[]) =>
  planTests(args, root).map(({ part, paths }) => (paths.length > 0 ? `${part}: ${paths.join(' ')}` : part));

describe('npm test', () => {
  it.each([
    [[], PARTS],
    [['lint'], ['generate', 'lint']],
    [
      ['unit', 'types'],
      ['generate', 'unit', 'types'],
    ],
    [['tests/unit/core/text/text.test.ts'], ['generate', 'unit: tests/unit/core/text/text.test.ts']],
    [['./tests/unit/core/'], ['generate', 'unit: tests/unit/core/']],
    [[path.join(root, 'tests/unit/core')], ['generate', 'unit: tests/unit/core/']],
    [
      ['tests/integration/debug-records', 'tests/unit/core/log.test.ts', 'tests/unit/core/text/text.test.ts'],
      [
        'generate',
        'unit: tests/unit/core/log.test.ts tests/unit/core/text/text.test.ts',
        'integration: tests/integration/debug-records/',
      ],
    ],
    [
      ['unit', 'tests/unit/core'],
      ['generate', 'unit'],
    ],
    [
      ['unit', 'tests/e2e/docs.test.ts'],
      ['generate', 'unit', 'build', 'e2e: tests/e2e/docs.test.ts'],
    ],
  ])('with the arguments %j runs %j', (args, plan) => {
    expect(planOf(...args)).toEqual(plan);
  });

  it.each([
    ['anything'],
    ['Unit'],
    ['tests/unit/core/none'],
    ['tests/support/service/serve.ts'],
    ['tests'],
    ['src/server/main.ts'],
    ['../tests/unit'],
    [''],
  ])('refuses the unknown argument %j', (arg) => {
    expect(() => planOf('lint', arg)).toThrow(`called "${arg}".\nParts: generate, lint, imports,`);
  });

  it('fails before anything runs if an argument is unknown', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/test.mjs'), 'unit', 'anything'],
      { encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('called "anything"');
    for (const part of PARTS) expect(stderr).toContain(part);
  });
});

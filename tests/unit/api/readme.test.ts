import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createEnvironmentExample, withConfigurationTable } from '../../../scripts/configuration-table';

const readme = readFileSync('README.md', 'utf8');

it("the README's configuration table matches the schema (if not: npm run readme)", () => {
  expect(readme).toBe(withConfigurationTable(readme));
});

it('.env.example matches the schema (if not: npm run readme)', () => {
  expect(readFileSync('.env.example', 'utf8')).toBe(createEnvironmentExample());
});

it('every npm script that the README mentions exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const scriptNames = [...readme.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map((match) => match[1]!);
  expect(scriptNames.length).toBeGreaterThan(3);
  for (const name of scriptNames) expect(Object.keys(scripts)).toContain(name);
});

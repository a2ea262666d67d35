import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { parseChangeLog } from '../../../src/server/api/changelog';
import { readLastRelease } from '../../support/service/last-release';

it('the kept release, which tests run on the current schema, is the one before this version', async () => {
  const entries = parseChangeLog(readFileSync('CHANGELOG.md', 'utf8'));
  const previousEntry = entries[entries.findIndex(({ version }) => version === manifest.version) + 1];
  const { version, statements } = await readLastRelease();
  expect(version, 'run `npm run release:keep` on the released version, see docs/recipes.md').toBe(
    previousEntry?.version,
  );
  expect(Object.keys(statements).length).toBeGreaterThan(300);
});

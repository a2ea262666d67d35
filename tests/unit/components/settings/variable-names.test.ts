import { expect, it } from 'vitest';
import { VARIABLE_DESCRIPTIONS } from '../../../../src/components/settings/variable-names';
import { loadConfig } from '../../../../src/server/config/config';
import { describeDeployment } from '../../../../src/server/runtime/deployment';

it('describes in the language of the reader every limit and secret that the System page shows, and no other variable', () => {
  const { limits, secrets } = describeDeployment(loadConfig({}), {
    version: '1.0.0',
    prismaDir: 'prisma',
    backupFolder: null,
  });
  expect(
    Object.keys(VARIABLE_DESCRIPTIONS).sort(),
    'Add the description to src/components/settings/variable-names.ts and both settings.json.',
  ).toEqual([...limits, ...secrets].map(({ name }) => name).sort());
});

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('no page loads the English sentences of all reasons: pages get the sentences they need as messages', async () => {
  const folder = path.resolve('src', 'components');
  const entryPoints = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => path.join(folder, name));
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unwritten',
    platform: 'node',
    packages: 'external',
    loader: { '.css': 'empty', '.md': 'text' },
    logLevel: 'silent',
  });
  const loaded = Object.keys(metafile.inputs);
  expect(loaded).toContain('src/server/core/errors/validation.ts');
  expect(loaded.filter((file) => /core\/errors\/(?:reasons|errors)[/.]/.test(file))).toEqual([]);
});

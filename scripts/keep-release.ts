import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'esbuild';
import { Statement } from '../src/server/db/statement';
import { GENERATED_FILE_PATTERN, listFilesIn } from './queries';

const RELEASE_FILE = path.resolve('tests/fixtures/last-release.br');

/** A release, stored for the tests of the next version to run. */
export interface SavedRelease {
  version: string;
  /** The texts of the statements in its `.sql` files, by name. */
  statements: Record<string, string>;
  /** The files of its server, without the pages, and those that the server reads at startup, by path. */
  files: Record<string, string>;
}

async function loadStatements(folder: string): Promise<Record<string, string>> {
  const statements: Record<string, string> = {};
  for (const file of await listFilesIn(folder, GENERATED_FILE_PATTERN)) {
    const fileExports: object = await import(pathToFileURL(path.join(folder, file)).href);
    for (const statement of Object.values(fileExports))
      if (statement instanceof Statement)
        statements[`${path.dirname(file)}/${statement.name}`] = statement.text;
  }
  return statements;
}

/**
 * Bundles the service without its pages (tests/support/service/serve.ts) and without the npm packages. The tests run it with the
 * next version's packages.
 */
async function bundleServer(): Promise<Record<string, string>> {
  const outdir = await mkdtemp(path.resolve('dist-'));
  try {
    await build({
      entryPoints: {
        main: 'tests/support/service/serve.ts',
        'import-worker': 'src/server/orders/reading/worker.ts',
        'migration-worker': 'src/server/db/migration/migration-worker.ts',
      },
      outdir,
      bundle: true,
      splitting: true,
      minifyWhitespace: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: 'external',
      logLevel: 'error',
    });
    const names = await readdir(outdir);
    const texts = await Promise.all(names.map((name) => readFile(path.join(outdir, name), 'utf8')));
    return Object.fromEntries(names.map((name, n) => [`dist/${name}`, texts[n]!]));
  } finally {
    await rm(outdir, { recursive: true });
  }
}

async function readStartupFiles(): Promise<Record<string, string>> {
  const prismaFiles = await listFilesIn(path.resolve('prisma'), /[.](?:sql|csv)$/);
  const names = ['package.json', 'CHANGELOG.md', ...prismaFiles.map((name) => path.join('prisma', name))];
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(name, 'utf8')])),
  );
}

/**
 * npm run release:keep: saves this version, so that the tests of the next one can start it on a database that the next version
 * has migrated (docs/decisions/0006-migrations.md). Run it as the last step of a release, before you raise the version number.
 */
async function main(): Promise<void> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const release: SavedRelease = {
    version,
    statements: await loadStatements(path.resolve('src/server')),
    files: { ...(await readStartupFiles()), ...(await bundleServer()) },
  };
  const compressedRelease = await promisify(brotliCompress)(JSON.stringify(release), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  await writeFile(RELEASE_FILE, compressedRelease);
  const statementCount = Object.keys(release.statements).length;
  console.log(
    `Saved ${version} with its ${statementCount} statements: ${Math.round(compressedRelease.length / 1024)} KiB.`,
  );
}

await main();

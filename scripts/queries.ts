import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ParameterTransform, processSQLQueryIR } from '@pgtyped/runtime';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { instantTextSql } from '../src/server/core/lists/cursor';
import { JOB_SCHEMA } from '../src/server/jobs/job-database';

const execFileAsync = promisify(execFile);
const PGTYPED_PATH = path.resolve('node_modules/@pgtyped/cli/lib/index.js');
const NO_DELAY_URL = pathToFileURL(path.resolve('scripts/no-delay.mjs')).href;

/** Matches the names of our generated files, such as `NAME.queries.ts` beside `NAME.sql`. */
export const GENERATED_FILE_PATTERN = /[.]queries[.]ts$/;

/** Returns the sorted relative paths of the files in a folder and its subfolders that match `pattern`. */
export async function listFilesIn(folder: string, pattern: RegExp): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => pattern.test(name)).sort();
}

/**
 * Replaces each `iso_instant(EXPRESSION)` with the SQL for the instant as text, so that its format is declared only once
 * ({@link instantTextSql}).
 */
function expandInstants(sql: string): string {
  const [textBefore, ...calls] = sql.split(/\biso_instant(?=\()/);
  const expandedCalls = calls.map((call) => {
    let depth = 0;
    const end = [...call].findIndex((character) => {
      if (character === '(') depth++;
      else if (character === ')') depth--;
      return depth === 0;
    });
    return instantTextSql(call.slice(0, end + 1)) + call.slice(end + 1);
  });
  return [textBefore, ...expandedCalls].join('');
}

const TEMPORARY_TABLE_PATTERN = /CREATE TEMPORARY TABLE (\w+) (\([^;]*\)) ON COMMIT DROP;/g;

/**
 * Runs `work` while the database has the tables that no migration creates: those that statements create temporarily, and those
 * of the job queue, which pg-boss creates when a server starts.
 */
async function withUnmigratedTables<T>(databaseUrl: string, sql: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const tableMatches = [...sql.matchAll(TEMPORARY_TABLE_PATTERN)];
  try {
    await client.query(PgBoss.getConstructionPlans(JOB_SCHEMA));
    for (const [, name, columns] of tableMatches) await client.query(`CREATE TABLE ${name} ${columns}`);
    return await work();
  } finally {
    for (const [, name] of tableMatches) await client.query(`DROP TABLE IF EXISTS ${name}`);
    await client.query(`DROP SCHEMA IF EXISTS ${JOB_SCHEMA} CASCADE`);
    await client.end();
  }
}

/**
 * Generates the TypeScript of every statement in the `.sql` files of a folder. pgtyped asks the database for the types of
 * parameters and columns, so a statement that does not fit the schema is an error here.
 *
 * @param databaseUrl a migrated database
 * @returns the texts of the generated files by their paths relative to the folder
 * @throws Error if a statement is wrong, with pgtyped's output if pgtyped refuses it
 */
export async function generateQueries(databaseUrl: string, folder: string): Promise<Map<string, string>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-queries-'));
  try {
    const files = await listFilesIn(folder, /[.]sql$/);
    const texts: string[] = [];
    for (const file of files) {
      const text = expandInstants(await readFile(path.join(folder, file), 'utf8'));
      texts.push(text);
      await mkdir(path.join(dir, path.dirname(file)), { recursive: true });
      await writeFile(path.join(dir, file), text);
    }
    const configPath = path.join(dir, 'pgtyped.json');
    const transforms = [{ mode: 'sql', include: '**/*.sql', emitTemplate: '{{dir}}/{{name}}.queries.ts' }];
    const options = {
      transforms,
      srcDir: dir,
      failOnError: true,
      camelCaseColumnNames: false,
      dbUrl: databaseUrl,
    };
    await writeFile(configPath, JSON.stringify(options));
    const { stderr } = await withUnmigratedTables(databaseUrl, texts.join('\n'), () =>
      execFileAsync(process.execPath, ['--import', NO_DELAY_URL, PGTYPED_PATH, '-c', configPath], {
        cwd: dir,
      }).catch((error: { stdout: string; stderr: string }) => {
        throw new Error(`pgtyped failed:\n${error.stdout}\n${error.stderr}`);
      }),
    );
    const generatedTextByName = new Map<string, string>();
    for (const file of files) {
      const name = file.replace(/[.]sql$/, '.queries.ts');
      const text = await readFile(path.join(dir, name), 'utf8').catch(() => {
        // pgtyped reports a statement that the database refuses, but exits with 0, and writes nothing for its file.
        const report = stderr.replace(/^ +at .*\n/gm, '').trim();
        throw new Error(
          report ||
            `${file}: each statement begins with a comment such as /* @name listShops */ and ends with a semicolon`,
        );
      });
      generatedTextByName.set(name, createModule(file, text));
    }
    return generatedTextByName;
  } finally {
    await rm(dir, { recursive: true });
  }
}

const INTERFACE_PATTERN = /^export (?:interface|type) I(\w+)(Params|Result)\b[^{=]*(?:= void;|\{[^}]*\})/gm;
const STATEMENT_PATTERN = /^const (\w+)IR: any = (.*);$/gm;
const ALIAS_PATTERN = /^export type (?!I\w+(?:Params|Result) = void).*$/gm;

/** Converts what pgtyped generated for one file to a module of `Statement`s, with numbered parameters and without `any`. */
function createModule(file: string, text: string): string {
  const folder = path.dirname(file);
  const statementPath = path.posix.relative(folder, 'db/statement');
  const typeBodies = new Map<string, string>();
  for (const [declaration, name, kind] of text.matchAll(INTERFACE_PATTERN)) {
    if (!declaration.includes('{')) continue;
    const body = declaration.slice(declaration.indexOf('{'));
    const isParams = kind === 'Params';
    typeBodies.set(
      `${name}${isParams ? 'Params' : 'Row'}`,
      isParams
        ? body
            .replace(/\b(\w+Array)\b/g, 'Readonly<$1>')
            // JSON may also be passed as bytes.
            .replace(/\bJson\b/g, 'Json | Uint8Array')
            .replaceAll(' | void', '')
            .replaceAll('?: ', ': ')
        : body,
    );
  }
  const statementTexts = [...text.matchAll(STATEMENT_PATTERN)].map(([, name, irJson]) => {
    const { query, mapping } = processSQLQueryIR(JSON.parse(irJson!));
    const parameterNames = mapping.map((parameter) => {
      if (parameter.type === ParameterTransform.Scalar) return parameter.name;
      throw new Error(
        `${file}: ${name} spreads a parameter; pass an array or JSON instead, as the text must not vary`,
      );
    });
    const typeName = name![0]!.toUpperCase() + name!.slice(1);
    const paramsType = typeBodies.has(`${typeName}Params`) ? `${typeName}Params` : 'undefined';
    const rowType = typeBodies.has(`${typeName}Row`) ? `${typeName}Row` : 'never';
    // `!` and `?` after a column's name tell pgtyped whether it can be null; PostgreSQL must not see them.
    const sql = query.replace(/"(\w+)[!?]"/g, '"$1"').replace(/[\\`]|\$\{/g, String.raw`\$&`);
    const parameterList = parameterNames.length > 0 ? `, ${JSON.stringify(parameterNames)}` : '';
    return [
      ...(paramsType === 'undefined'
        ? []
        : [`export interface ${paramsType} ${typeBodies.get(paramsType)}\n`]),
      ...(rowType === 'never' ? [] : [`export interface ${rowType} ${typeBodies.get(rowType)}\n`]),
      `export const ${name} = new Statement<${paramsType}, ${rowType}>('${path.basename(file, '.sql')}.${name}', \`\n${sql}\`${parameterList});\n`,
    ].join('\n');
  });
  const aliasLines = [...text.matchAll(ALIAS_PATTERN)].map(([alias]) => alias).join('\n');
  return [
    `// Generated by \`npm run sql\` from ${path.basename(file)}: change that file instead.`,
    `import { Statement } from '${statementPath.startsWith('.') ? statementPath : `./${statementPath}`}';\n`,
    ...(aliasLines ? [`${aliasLines}\n`] : []),
    ...statementTexts,
  ].join('\n');
}

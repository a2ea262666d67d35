// npm test: runs everything, starting with what fails fastest, or only the named parts, files and folders. Ends with a line "N
// passed, N failed".
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { build } from './build.mjs';
import { PROJECTS, planTests, UnknownPartError } from './test-plan.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Returns the parts to run, with the paths of each. Ends the process if an argument is unknown. */
function readPlan() {
  try {
    return planTests(process.argv.slice(2), root, process.cwd());
  } catch (error) {
    if (!(error instanceof UnknownPartError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

const plan = readPlan();

/** Returns the command that runs a package's program, by its path: not every package lets its package.json be resolved. */
function commandOf(packageName, programFile) {
  return [process.execPath, path.join(root, 'node_modules', packageName, programFile)];
}

/** Runs a program to its end. Shows its output or passes it to `onOutput`. Returns whether the program succeeded. */
function runProgram([command, ...args], { env = {}, onOutput } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...env },
    });
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.on('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

const totals = { passed: 0, failed: 0 };

/** The failures, repeated before the last line so that the end of a long log still shows the reasons. */
const failures = [];

function noteFailures(project, report) {
  for (const file of report.testResults) {
    const filePath = path.relative(root, file.name);
    for (const test of file.assertionResults) {
      if (test.status === 'failed')
        failures.push(`${project} ${filePath} > ${test.fullName}\n${test.failureMessages.join('\n')}`);
    }
    // A file that fails outside its tests (in an import or a hook) has no failed test.
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
      failures.push(`${project} ${filePath}\n${file.message}`);
  }
}

async function runVitest(project, resultsFolder, paths) {
  const reportFile = path.join(resultsFolder, `${project}.json`);
  const hasPassed = await runProgram([
    ...commandOf('vitest', 'vitest.mjs'),
    'run',
    '--project',
    project,
    ...paths,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
  ]);
  try {
    const report = JSON.parse(await readFile(reportFile, 'utf8'));
    totals.passed += report.numPassedTests;
    totals.failed += report.numFailedTests;
    noteFailures(project, report);
    if (report.numTotalTests === 0) throw new Error(`no test of ${project} ran`);
  } catch (error) {
    console.error(error.message);
    return false;
  }
  return hasPassed;
}

const resultsFolder = await mkdtemp(path.join(tmpdir(), 'brickdesk-results-'));
const log = (line) => console.log(line);

/** The checks that only read the sources, the longest first, each as a command and, for some, its environment variables. */
const checks = new Map([
  // Version 7 takes a fifth of version 6's processor time, on one thread even less. Other tools need version 6's JavaScript API.
  ['types', [[...commandOf('typescript-7', 'bin/tsc'), '--noEmit', '--singleThreaded']]],
  ['lint', [[...commandOf('@biomejs/biome', 'bin/biome'), 'check', '--error-on-warnings', '.']]],
  [
    'imports',
    [
      [
        ...commandOf('dependency-cruiser', 'bin/dependency-cruise.mjs'),
        '--config',
        '.dependency-cruiser.cjs',
        'src',
        'bench',
        'scripts',
        'tests',
      ],
    ],
  ],
  ['unused code', [commandOf('knip', 'bin/knip.js')]],
  [
    'api document',
    [
      [...commandOf('@redocly/cli', 'bin/cli.js'), 'lint', 'docs/api-snapshot/openapi.json'],
      // Without these, the linter would send telemetry and look for updates.
      { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    ],
  ],
]);

/** The planned checks. As many as there are processors run at a time, and each shows its output when its turn comes. */
const plannedChecks = new Map();
const limitConcurrency = pLimit(availableParallelism());

function startChecks() {
  const plannedParts = new Set(plan.map(({ part }) => part));
  for (const [part, [command, env]] of checks) {
    if (!plannedParts.has(part)) continue;
    const output = [];
    const outcomePromise = limitConcurrency(() =>
      runProgram(command, { env, onOutput: (chunk) => output.push(chunk) }),
    );
    plannedChecks.set(part, { outcomePromise, output });
  }
}

async function showCheck(name) {
  const { outcomePromise, output } = plannedChecks.get(name);
  const hasPassed = await outcomePromise;
  process.stdout.write(Buffer.concat(output));
  return hasPassed;
}

const steps = new Map([
  // The checks start after this part: they read what it generates, and nothing that later parts write.
  [
    'generate',
    () =>
      build('client', { log })
        .then(() => true)
        .finally(startChecks),
  ],
  ...[...checks.keys()].map((name) => [name, () => showCheck(name)]),
  ['unit', (paths) => runVitest('unit', resultsFolder, paths)],
  ['integration', (paths) => runVitest('integration', resultsFolder, paths)],
  ['build', () => build('all', { log }).then(() => true)],
  ['e2e', (paths) => runVitest('e2e', resultsFolder, paths)],
]);

for (const { part: name, paths } of plan) {
  console.log(`\n== ${name}`);
  const failedCountBefore = totals.failed;
  const hasPassed = await Promise.resolve()
    .then(() => steps.get(name)(paths))
    .catch((error) => {
      console.error(error.message);
      return false;
    });
  if (hasPassed && !PROJECTS.includes(name)) totals.passed++;
  // Failed tests have already been counted and listed. This counts a part that failed without reporting any.
  if (!hasPassed && totals.failed === failedCountBefore) {
    totals.failed++;
    failures.push(`${name}: see above`);
  }
}
for (const failure of failures) console.log(`\nFAILED ${failure}`);
await rm(resultsFolder, { recursive: true, force: true });
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

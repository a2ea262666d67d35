import { statSync } from 'node:fs';
import path from 'node:path';

/**
 * The parts of `npm test` in the order in which their results are shown, those that fail fastest first. The checks that only read
 * the sources run in the background.
 */
export const PARTS = [
  'generate',
  'lint',
  'imports',
  'unused code',
  'api document',
  'unit',
  'types',
  'integration',
  'build',
  'e2e',
];

/** The parts that vitest runs. Each has the name of the folder that contains its files. */
export const PROJECTS = ['unit', 'integration', 'e2e'];

/** Thrown if an argument is neither a part nor a test file or folder. The message lists the parts. */
export class UnknownPartError extends Error {
  name = 'UnknownPartError';
}

/** Returns the project that has this test file or folder; null if there is none at this path. */
function projectOf(root, testPath) {
  const relativePath = path.relative(path.join(root, 'tests'), testPath);
  const project = PROJECTS.find((name) => relativePath === name || relativePath.startsWith(name + path.sep));
  const stats = project && statSync(testPath, { throwIfNoEntry: false });
  if (!stats || !(stats.isDirectory() || testPath.endsWith('.test.ts'))) return null;
  return project;
}

/**
 * Resolves the arguments of `npm test`: any number of parts, by name, and of test files and folders, by path. Without
 * arguments, everything runs. Adds what the requested parts depend on (the generated client, the pages for browser tests).
 *
 * @param {readonly string[]} args
 * @param {string} root folder of the repository
 * @param {string} baseFolder folder that paths in the arguments are relative to
 * @returns {{part: string, paths: string[]}[]} in running order; no paths for a whole part
 * @throws {UnknownPartError} naming what does not exist, and the parts
 */
export function planTests(args, root, baseFolder = root) {
  if (args.length === 0) return PARTS.map((part) => ({ part, paths: [] }));
  const wholeParts = new Set();
  const patternsByProject = new Map();
  const unknownArgs = [];
  for (const arg of args) {
    if (PARTS.includes(arg)) {
      wholeParts.add(arg);
      continue;
    }
    const testPath = path.resolve(baseFolder, arg);
    const project = projectOf(root, testPath);
    if (!project) {
      unknownArgs.push(arg);
      continue;
    }
    // vitest runs every file whose path contains the pattern, so that of a folder ends with a slash.
    const pattern = path.relative(root, testPath) + (testPath.endsWith('.test.ts') ? '' : path.sep);
    patternsByProject.set(project, [...(patternsByProject.get(project) ?? []), pattern]);
  }
  if (unknownArgs.length > 0) {
    const names = PARTS.map((part) => (part.includes(' ') ? `"${part}"` : part)).join(', ');
    throw new UnknownPartError(
      `There is no part and no test file or folder called ${unknownArgs.map((arg) => `"${arg}"`).join(', ')}.\n` +
        `Parts: ${names}.\nPaths: a file such as tests/unit/core/text/text.test.ts, or a folder below tests/unit, tests/integration or tests/e2e.`,
    );
  }
  const requestedParts = new Set([...wholeParts, ...patternsByProject.keys(), 'generate']);
  if (requestedParts.has('e2e')) requestedParts.add('build');
  return PARTS.filter((part) => requestedParts.has(part)).map((part) => ({
    part,
    paths: wholeParts.has(part) ? [] : [...new Set(patternsByProject.get(part) ?? [])],
  }));
}

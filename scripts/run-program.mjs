// Runs the programs of packages for scripts/build.mjs.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends this process as if nothing had handled the signal. */
function endBySignal(signal) {
  process.kill(process.pid, signal);
  // The system ignores the signal if this is the first process of a container.
  process.exit(128 + constants.signals[signal]);
}

/**
 * Runs a package's program with Node; if it fails, throws an error with the program's output. A signal that ends this process
 * stops the program first: it would otherwise go on without us and be in the way of the next build.
 *
 * @param {string} packageName
 * @param {string} programFile its path in the package
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: Record<string, string> }} options
 * @returns {Promise<void>}
 */
export function runProgram(packageName, programFile, args, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const programPath = path.join(path.dirname(require.resolve(`${packageName}/package.json`)), programFile);
    let receivedSignal;
    const stopChild = (signal) => {
      receivedSignal ??= signal;
      child.kill(signal);
    };
    // Before `spawn`: a signal that arrived in between would end this process and leave the program running.
    for (const signal of SIGNALS) process.on(signal, stopChild);
    const child = spawn(process.execPath, [programPath, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      for (const signal of SIGNALS) process.off(signal, stopChild);
      if (receivedSignal) endBySignal(receivedSignal);
      else if (code === 0) resolve();
      else reject(new Error(`${packageName} ${args.join(' ')} failed:\n${output}`));
    });
  });
}

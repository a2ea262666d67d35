import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';
import { codeOf } from './data-folder';

/** Returns a unique path beside `target`, which `removeLeftovers` (binaries.ts) recognises after a crash. */
export function temporaryPath(target: string): string {
  return `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/**
 * Creates a file that only its owner may read, unless it already exists. No process ever sees an incomplete file, even if several
 * create it at the same time or one is killed.
 */
export async function createSecretFile(file: string, content: string): Promise<void> {
  const temporaryFile = temporaryPath(file);
  try {
    await writeFile(temporaryFile, content, { mode: 0o600, flag: 'wx', flush: true });
    await link(temporaryFile, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

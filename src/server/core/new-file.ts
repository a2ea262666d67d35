import { randomBytes } from 'node:crypto';
import { link, rm, writeFile } from 'node:fs/promises';

/** Returns a unique path beside `target`, which {@link processOfTemporaryName} recognises after a crash. */
export function temporaryPath(target: string): string {
  return `${target}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
}

/** Returns the id of the process that chose this temporary name, whatever extension was added to it. Null for any other name. */
export function processOfTemporaryName(name: string): number | null {
  const match = /.\.new-(\d+)-[0-9a-f]{8}(?:\.[a-z]+)?$/.exec(name);
  return match ? Number(match[1]) : null;
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
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How many times to check whether the process that has taken a file's name has stored its content. It needs one rename for that. */
const MAX_CONTENT_CHECKS = 250;
const CONTENT_CHECK_MS = 20;

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
 * Gives a complete file in the same folder its final name, and never replaces a file that has this name. The caller removes the
 * temporary name. Where there are no hard links, as on exFAT and some network disks, the name is first taken by an empty file:
 * other processes see that for a moment, and a crash at that moment leaves it behind.
 *
 * @throws the system's error, EEXIST if there is such a file
 */
export async function giveFinalName(temporaryFile: string, file: string): Promise<void> {
  try {
    // A rename would replace a file that was created there in the meantime.
    await link(temporaryFile, file);
    return;
  } catch (error) {
    if (isTakenError(error)) throw error;
    // File systems report in different ways that they have no hard links. Any other problem also makes the next calls fail.
  }
  await (await open(file, 'wx', 0o600)).close();
  try {
    await rename(temporaryFile, file);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

const isTakenError = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/**
 * Waits until the process that has taken the file's name has stored the content there; see {@link giveFinalName}. Counts checks, not
 * time: while the machine pauses, that process cannot store anything either.
 */
async function waitForContent(file: string): Promise<void> {
  for (let count = 0; count < MAX_CONTENT_CHECKS && (await stat(file)).size === 0; count++)
    await sleep(CONTENT_CHECK_MS);
}

/**
 * Creates a file that only its owner may read, unless it already exists. Once this returns, the file is complete, even if several
 * processes create it at the same time or one is killed.
 */
export async function createSecretFile(file: string, content: string): Promise<void> {
  const temporaryFile = temporaryPath(file);
  try {
    await writeFile(temporaryFile, content, { mode: 0o600, flag: 'wx', flush: true });
    await giveFinalName(temporaryFile, file);
  } catch (error) {
    if (!isTakenError(error)) throw error;
    await waitForContent(file);
  } finally {
    await rm(temporaryFile, { force: true });
  }
}

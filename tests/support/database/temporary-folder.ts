import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a folder that PostgreSQL's user may enter, even if root runs the tests. */
export async function makeTemporaryFolder(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), `brickdesk-${name}-`)));
  await chmod(folder, 0o755);
  return folder;
}

export function removeTemporaryFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

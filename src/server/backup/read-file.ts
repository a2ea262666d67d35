import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { type BackupContents, BackupError, type BackupHeader, type BackupPart, readBackup } from './format';

/**
 * Yields the parts of a backup file, reading from disk as needed.
 *
 * @throws BackupError if the file is missing, unreadable, damaged, not a backup, or written by a newer version
 */
export async function* readBackupFile(file: string): AsyncGenerator<BackupPart> {
  const fileStream = createReadStream(file);
  const gunzip = createGunzip();
  fileStream.on('error', (error) => gunzip.destroy(error));
  try {
    yield* readBackup(fileStream.pipe(gunzip));
  } catch (error) {
    throw toBackupError(error, file);
  } finally {
    fileStream.destroy();
    gunzip.destroy();
  }
}

function toBackupError(error: unknown, file: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new BackupError(`There is no file ${file}.`);
  if (code === 'EISDIR') return new BackupError(`${file} is a folder. Choose a backup file.`);
  if (code === 'EACCES') return new BackupError(`${file} cannot be read: this user has no permission.`);
  if (code === 'Z_BUF_ERROR')
    return new BackupError('The backup is damaged: its end is missing. Use another one.');
  if (code.startsWith('Z_')) return new BackupError('The file is not a backup of Brickdesk, or is damaged.');
  return error;
}

/**
 * Reads an entire backup and checks that nothing is missing or modified.
 *
 * @returns the contents of the backup
 * @throws BackupError, which says what is wrong with the backup
 */
export async function verifyBackup(file: string): Promise<BackupContents> {
  let header: BackupHeader | undefined;
  let rowCounts: Record<string, number> = {};
  for await (const part of readBackupFile(file)) {
    if (part.kind === 'header') header = part.header;
    if (part.kind === 'end') rowCounts = part.rows;
  }
  return { ...header!, rows: rowCounts };
}

/** The embedded database cannot run. The message is one line for the administrator. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
  /** The end of the output of initdb, pg_ctl or the server's log, or the system's error message; may be empty. */
  readonly detail: string;

  constructor(message: string, options: { detail?: string; cause?: unknown } = {}) {
    super(message.replace(/\s*[\r\n]+\s*/g, ' '), { cause: options.cause });
    this.detail = options.detail ?? '';
  }
}

/** Returns an error that describes a failed file operation in `folder` in one line that the administrator can act on. */
export function folderError(error: unknown, folder: string): EmbeddedDatabaseError {
  if (error instanceof EmbeddedDatabaseError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const messageByCode: Record<string, string> = {
    EACCES: `The data folder ${folder} cannot be read or written by this user: make them its owner (chown) or choose another DATA_DIR.`,
    EROFS: `The data folder ${folder} is on a read-only file system: choose another DATA_DIR.`,
    ENOSPC: `The disk of the data folder ${folder} is full: make room or choose another DATA_DIR.`,
    'mkdir ENOENT': `The data folder ${folder} cannot be created, because the system allows no folder there: choose another DATA_DIR.`,
    ENOTDIR: `There is a file in place of the data folder ${folder} or of one of its parents: remove it or choose another DATA_DIR.`,
    ENAMETOOLONG: `The name of the data folder ${folder} is too long: choose another DATA_DIR.`,
  };
  const equivalentCodes: Record<string, string> = { EPERM: 'EACCES', EDQUOT: 'ENOSPC', EEXIST: 'ENOTDIR' };
  const code = codeOf(error);
  const { syscall } = error as NodeJS.ErrnoException;
  const message =
    messageByCode[equivalentCodes[code] ?? code] ??
    messageByCode[`${syscall} ${code}`] ??
    `The data folder ${folder} cannot be used: ${reason}.`;
  return new EmbeddedDatabaseError(message, { cause: error, detail: reason });
}

/** Returns the code of an error (`ENOENT`, a SQLSTATE), or the empty string. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

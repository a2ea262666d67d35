import { type DestinationStream, pino } from 'pino';

/** The maximum size of the collected lines. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** UTF-8 takes at most three bytes for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** How long lines are collected, in milliseconds: long enough for hundreds of requests, too short for anyone to notice. */
const FLUSH_DELAY_MS = 10;

/** The maximum size of the lines that are kept while they cannot be written, and of any line. */
const MAX_UNWRITTEN_BYTES = 4 * 1024 * 1024;
/** How long to wait before lines that could not be written are written again, unless a warning or an error is logged before. */
const RETRY_DELAY_MS = 1_000;

const countLines = (text: string) => text.split('\n').length - 1;

/** Returns the line that says how many lines are missing, in the format of the log. */
const droppedLinesEntry = (dropped: number) =>
  `${JSON.stringify({
    level: 'warn',
    time: new Date().toISOString(),
    dropped,
    msg: 'log lines were dropped while the log could not be written',
  })}\n`;

/** A function that writes text to standard output, or keeps it until that is possible. */
interface Writer {
  /** Never throws. Text that no longer fits in {@link MAX_UNWRITTEN_BYTES} is dropped. */
  write(text: string): void;
  /** Returns whether text is still waiting to be written. */
  isFailing(): boolean;
}

/**
 * Opens a writer that survives a full disk or a closed terminal: it keeps what it could not write, up to a limit, and writes it with
 * the next text. Then it says how many lines it had to drop.
 */
function openWriter(): Writer {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  let isFailing = false;
  let droppedCount = 0;
  // Without a listener, the error would be thrown where the line is logged.
  output.on('error', () => {
    isFailing = true;
  });
  output.on('write', () => {
    isFailing = false;
  });
  output.on('drop', (text: string) => {
    droppedCount += countLines(text);
  });
  return {
    write(text) {
      output.write(text);
      if (isFailing || droppedCount === 0) return;
      const entry = droppedLinesEntry(droppedCount);
      droppedCount = 0;
      output.write(entry);
    },
    isFailing: () => isFailing,
  };
}

/**
 * Opens a stream that writes a log to standard output. Collects lines for {@link FLUSH_DELAY_MS} and writes them together, because a
 * system call per line would take a seventh of the time needed to refuse a request. Writes warnings and errors at once, and
 * everything when the process exits. Never throws: lines that cannot be written must not end the work that logs them.
 */
export function openStandardOutput(): DestinationStream {
  const output = openWriter();
  // A buffer, because strings that are collected for this long would be promoted to V8's old generation, together with the pieces
  // that each was concatenated from.
  const lineBuffer = Buffer.alloc(MAX_BUFFERED_BYTES);
  let collectedBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = lineBuffer.toString('utf8', 0, collectedBytes);
    collectedBytes = 0;
    if (text !== '' || output.isFailing()) output.write(text);
    if (output.isFailing()) timer = setTimeout(flush, RETRY_DELAY_MS).unref();
  };
  process.on('exit', flush);
  return {
    // Makes pino set `lastLevel`.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(line) {
      const maxBytes = line.length * MAX_BYTES_PER_UNIT;
      if (collectedBytes + maxBytes > MAX_BUFFERED_BYTES) flush();
      if (maxBytes > MAX_BUFFERED_BYTES) {
        output.write(line);
        return;
      }
      collectedBytes += lineBuffer.write(line, collectedBytes);
      if (this.lastLevel >= pino.levels.values.warn!) flush();
      else timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
    },
  } as DestinationStream & { lastLevel: number };
}

/**
 * Keeps the process from ending when text for people cannot be written: the disk is full, or the reader of a pipe has exited. The
 * streams would report that as an error that nobody handles.
 */
export function ignoreOutputErrors(): void {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
}

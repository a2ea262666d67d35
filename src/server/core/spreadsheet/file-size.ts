import { createReason, type Reason } from '../errors/reason';

/** Returns a number of bytes in readable form: `64 MiB`. */
function formatSize(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.ceil(bytes / 1024)} KiB`
    : `${Math.ceil(bytes / 1024 / 102.4) / 10} MiB`;
}

/** Returns why a file is refused that is larger than `maxBytes`. */
export function tooLargeReason(name: string, size: number, maxBytes: number): Reason {
  const reason = createReason('file.tooLarge', { size: formatSize(size), limit: formatSize(maxBytes) });
  return createReason('join.named', { name, reason });
}

import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * The service's log: one JSON object a line. Bodies, headers and secrets are never handed to it; the paths below are
 * redacted all the same, should one slip in with an error.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [
        'key',
        'password',
        'token',
        'secret',
        'authorization',
        '*.password',
        '*.token',
        '*.secret',
        '*.key',
      ],
      censor: '[redacted]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

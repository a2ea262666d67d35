import { setImmediate as nextTurn } from 'node:timers/promises';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** How many bytes to scan before yielding to other requests. */
const BYTES_PER_TURN = 1024 * 1024;

/** Where a value begins and ends, including white space around it; `end` is the position after its last byte. */
interface Span {
  start: number;
  end: number;
}

/** The member names that lead to a tool call's arguments. */
const ARGUMENTS_PATH = ['params', 'arguments'];
/** The maximum length of one of these names in JSON, where each character can be an escape sequence such as `\u0061`. */
const MAX_NAME_LENGTH = 6 * 'arguments'.length;

/** Returns a name without its escape sequences; an invalid one unchanged, because parsing the message refuses it. */
function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`);
  } catch {
    return name;
  }
}

/**
 * Finds `params.arguments` in the text of a JSON-RPC message without parsing it, so that a large import can be parsed in a
 * worker thread like other large imports. Reads each byte once, and lets other requests run in between.
 *
 * @returns null if the message has no arguments, or has them more than once, or if a name on the way to them has escape sequences;
 * any value if the JSON is invalid
 */
export async function findArgumentsSpan(json: Uint8Array): Promise<Span | null> {
  const memberNames: (string | undefined)[] = [];
  let foundSpan: Span | null = null;
  let depth = 0;
  let valueStart = -1;
  let lastString = '';
  let isEscaped = false;
  for (let index = 0, turnEnd = BYTES_PER_TURN; index < json.length; index++) {
    if (index >= turnEnd) {
      turnEnd = index + BYTES_PER_TURN;
      await nextTurn();
    }
    const byte = json[index]!;
    if (byte === QUOTE) {
      const start = index + 1;
      isEscaped = false;
      for (index = start; index < json.length && json[index] !== QUOTE; index++)
        if (json[index] === BACKSLASH) {
          isEscaped = true;
          index++;
        }
      if (depth <= ARGUMENTS_PATH.length && index - start <= MAX_NAME_LENGTH)
        lastString = Buffer.from(json.buffer, json.byteOffset + start, index - start).toString('latin1');
      else lastString = '';
    } else if ((byte | 0x20) === 0x7b) depth++;
    else if ((byte | 0x20) === 0x7d || byte === 0x2c) {
      if (valueStart !== -1 && depth === ARGUMENTS_PATH.length) {
        if (foundSpan) return null;
        foundSpan = { start: valueStart, end: index };
        valueStart = -1;
      }
      // Anything after an unmatched closing bracket is not JSON.
      if (byte !== 0x2c && --depth < 0) return null;
    } else if (byte === 0x3a && depth <= ARGUMENTS_PATH.length) {
      // Another spelling of a name on the path, whose value would count as well.
      if (isEscaped && unescaped(lastString) === ARGUMENTS_PATH[depth - 1]) return null;
      memberNames[depth] = lastString;
      if (
        depth === ARGUMENTS_PATH.length &&
        ARGUMENTS_PATH.every((name, level) => memberNames[level + 1] === name)
      )
        valueStart = index + 1;
    }
  }
  return foundSpan;
}

import { because, type Problem, problemAt } from '../../core/errors/reason';
import { isTooDeep, MAX_JSON_DEPTH, TOO_DEEP } from '../../core/text/json-depth';
import { findList, type ListedJson } from '../../core/text/json-list';

/** A body is not the JSON of an object. */
export class BadBody extends Error {
  constructor(readonly problem: Problem) {
    super(problem.reason);
  }
}

/** The request of an import. */
export interface ImportRequest {
  /** What its schema checks, all of `rows` or a sample. */
  members: unknown;
  /** The members by name; none if it is no object. */
  given: Record<string, unknown>;
  /** How many rows were sent, a header included. */
  sent: number;
  /** Reads the rows from the first. Reading may throw BadBody. */
  rows(): Iterable<unknown>;
}

/** The request with these members. */
export function requestOf(members: unknown): ImportRequest {
  const given = (typeof members === 'object' && members !== null ? members : {}) as Record<string, unknown>;
  const rows = Array.isArray(given.rows) ? given.rows : [];
  return { members, given, sent: rows.length, rows: () => rows };
}

/**
 * Reads the body of a request. Its rows are only parsed when they are read, so that they are never all in memory.
 *
 * @throws BadBody
 */
export function readBody(body: Uint8Array): ImportRequest {
  const list = reading(() => findList(body, 'rows'));
  if (list ? list.depth > MAX_JSON_DEPTH : isTooDeep(body)) throw new BadBody(TOO_DEEP);
  if (list) {
    const given = { ...(list.members as object), rows: list.count > 0 ? [null] : [] };
    return { members: given, given, sent: list.count, rows: () => rowsOf(list) };
  }
  const members = reading(
    () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown,
  );
  if (typeof members !== 'object' || members === null || Array.isArray(members))
    throw new BadBody(problemAt('', because('body.object')));
  return requestOf(members);
}

function* rowsOf(list: ListedJson): Generator<unknown> {
  const elements = list.elements();
  for (;;) {
    const { done, value } = reading(() => elements.next());
    if (done) return;
    yield value;
  }
}

function reading<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new BadBody(problemAt('', because(error instanceof SyntaxError ? 'body.json' : 'body.encoding')));
  }
}

import { createReason, type Problem, problemAt } from '../../core/errors/reason';
import { findExceededLimit, MAX_JSON_DEPTH, TOO_DEEP } from '../../core/text/json-limits';
import { findList, type JsonWithList } from '../../core/text/json-list';
import { isJsonObject } from '../../core/text/json-object';
import { MAX_OBJECT_MEMBERS } from './layout';

/** Thrown if a body is not a valid JSON object, is nested too deeply or has an object with too many members. */
export class BadBodyError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.reason);
  }
}

/** An import request. */
export interface ImportRequest {
  /** What the schema checks: the members of the request, with all rows or a placeholder for them. */
  members: unknown;
  /** The members by name; empty if the request is not an object. */
  membersByName: Record<string, unknown>;
  /** How many rows were sent, including a header. */
  sentRowCount: number;
  /**
   * Iterates over the rows, from the first one on every call.
   *
   * @throws BadBodyError while iterating, if the body is malformed
   */
  rows(): Iterable<unknown>;
}

/** Returns the request with these members. */
export function toImportRequest(members: unknown): ImportRequest {
  const membersByName = (typeof members === 'object' && members !== null ? members : {}) as Record<
    string,
    unknown
  >;
  const rows = Array.isArray(membersByName.rows) ? membersByName.rows : [];
  return { members, membersByName, sentRowCount: rows.length, rows: () => rows };
}

/**
 * Reads the body of a request. Rows are parsed in small chunks as they are read, so that they are not all in memory. Only a body
 * that `findList` cannot split is parsed whole.
 *
 * @throws BadBodyError
 */
export function readBody(body: Uint8Array): ImportRequest {
  requireLimits(body);
  const list = readOrRefuse(() => findList(body, 'rows'));
  if (list) {
    const membersByName = { ...(list.members as object), rows: list.count > 0 ? [null] : [] };
    return { members: membersByName, membersByName, sentRowCount: list.count, rows: () => rowsOf(list) };
  }
  const members = readOrRefuse(
    () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown,
  );
  if (!isJsonObject(members)) throw new BadBodyError(problemAt('', createReason('body.object')));
  return toImportRequest(members);
}

/**
 * Refuses, before it is parsed, a body that would take long to parse because of its nesting or of the members of one object.
 *
 * @throws BadBodyError
 */
function requireLimits(body: Uint8Array): void {
  const limit = findExceededLimit(body, { depth: MAX_JSON_DEPTH, members: MAX_OBJECT_MEMBERS });
  if (limit === 'depth') throw new BadBodyError(TOO_DEEP);
  if (limit === 'members')
    throw new BadBodyError(problemAt('', createReason('body.manyMembers', { count: MAX_OBJECT_MEMBERS })));
}

function* rowsOf(list: JsonWithList): Generator<unknown> {
  const elements = list.elements();
  for (;;) {
    const { done, value } = readOrRefuse(() => elements.next());
    if (done) return;
    yield value;
  }
}

function readOrRefuse<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new BadBodyError(
      problemAt('', createReason(error instanceof SyntaxError ? 'body.json' : 'body.encoding')),
    );
  }
}

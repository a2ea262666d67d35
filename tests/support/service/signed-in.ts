import { randomBytes } from 'node:crypto';
import { encode } from 'next-auth/jwt';
import { appRouter } from '../../../src/server/api/router';
import type { ConflictDetails } from '../../../src/server/audit/unchanged-service';
import { englishProblem } from '../../../src/server/core/errors/errors';
import type { Problem } from '../../../src/server/core/errors/reason';
import type { Role } from '../../../src/server/identity/schema';
import { beginSession } from '../../../src/server/identity/sessions/session-service';
import { createUser } from '../../../src/server/identity/users/service';
import { TEST_ACTOR, TEST_SECRET, type TestService } from './test-service';

/** A procedure's response to a page: its output, or the public part of its error. */
interface Called {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into outputs of every shape
  data: any;
  /** Null if it succeeded. */
  error: {
    code: string;
    message: string;
    problems: { path: string; message: string }[];
    /** For a form whose record was changed meanwhile. */
    changed?: ConflictDetails;
  } | null;
}

export interface SignedIn {
  userId: number;
  email: string;
  sessionId: string;
  /** Generated. */
  password: string;
  /** The whole header: `next-auth.session-token=...`. */
  cookie: string;
  /**
   * Calls a procedure by its path, such as `keys.list`, as the pages do: a query by GET, a mutation by POST, a subscription to
   * its end.
   */
  call(path: string, input?: unknown, headers?: Record<string, string>): Promise<Called>;
}

/** Queries, and subscriptions, which are called like them. */
function isRead(path: string): boolean {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  return /^(?:query|subscription)$/.test(procedures[path]?._def.type ?? '');
}

/** Reads a subscription to its end: its events, or the error that ended it, which arrives as an event too. */
async function readEvents(response: Response): Promise<Called> {
  const events = [...(await response.text()).matchAll(/^(?:event: (\S+)\n)?data: (.*)$/gm)];
  const failed = events.find(([, kind]) => kind === 'serialized-error');
  const data = events.filter(([, kind]) => kind === undefined).map(([, , json = 'null']) => JSON.parse(json));
  if (!failed) return { status: response.status, data, error: null };
  const { message, data: shape } = JSON.parse(failed[2]!);
  return {
    status: shape.httpStatus,
    data,
    error: { code: shape.code, message, problems: inEnglish(shape.problems) },
  };
}

/** Problems as REST would word them: pages get them as data. */
const inEnglish = (problems: readonly Problem[] = []) => problems.map(englishProblem);

/** Sends a native call with the headers of a page's own script. */
async function callNatively(
  url: string,
  path: string,
  input: unknown,
  headers: Record<string, string>,
): Promise<Called> {
  const json = input === undefined ? undefined : JSON.stringify(input);
  const query = isRead(path);
  const search = query && json !== undefined ? `?input=${encodeURIComponent(json)}` : '';
  const response = await fetch(`${url}/api/trpc/${path}${search}`, {
    method: query ? 'GET' : 'POST',
    headers: { Origin: url, 'Content-Type': 'application/json', ...headers },
    body: query ? undefined : json,
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return readEvents(response);
  const answer = await response.json();
  const { status } = response;
  if (answer.result) return { status, data: answer.result.data, error: null };
  // A procedure fails in tRPC's own form; what is refused before a procedure runs has our envelope.
  const { code, problems, members } = answer.error?.data ?? answer;
  const message: string = answer.error?.message ?? answer.message;
  const changed = members?.changed && { changed: members.changed };
  return { status, data: null, error: { code, message, problems: inEnglish(problems), ...changed } };
}

/** Creates a user with the role and signs them in: a session as `beginSession` creates it, and its token as next-auth does. */
export async function signedInAs(service: TestService, role: Role): Promise<SignedIn> {
  const { db } = service.app.services;
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  const { id: userId, password } = await createUser(db, TEST_ACTOR, { email, role });
  const sessionId = await beginSession(db, {
    user: { id: userId, email },
    method: 'password',
    origin: { address: '127.0.0.1', userAgent: 'test' },
    previous: null,
  });
  const token = await encode({ token: { sub: String(userId), sid: sessionId }, secret: TEST_SECRET });
  const cookie = `next-auth.session-token=${token}`;
  return {
    userId,
    email,
    sessionId,
    password: password!,
    cookie,
    call: (path, input, headers = {}) =>
      callNatively(service.url, path, input, { Cookie: cookie, ...headers }),
  };
}

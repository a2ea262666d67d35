import { randomBytes } from 'node:crypto';
import { encode } from 'next-auth/jwt';
import { appRouter } from '../../../src/server/api/router';
import type { ConflictDetails } from '../../../src/server/audit/edit-conflict-service';
import { englishProblem } from '../../../src/server/core/errors/errors';
import type { Problem } from '../../../src/server/core/errors/reason';
import type { Role } from '../../../src/server/identity/schema';
import { beginSession } from '../../../src/server/identity/sessions/session-service';
import { createUser } from '../../../src/server/identity/users/service';
import { TEST_ACTOR, TEST_SECRET, type TestService } from './test-service';

/** A procedure's response to a page: its output, or the public part of its error. */
interface CallResult {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read outputs of every shape
  data: any;
  /** Null if the call succeeded. */
  error: {
    code: string;
    message: string;
    problems: { path: string; message: string }[];
    /** Set if the form's record was changed in the meantime. */
    changed?: ConflictDetails;
  } | null;
}

/** Returns the paths of the problems for which a call was refused. */
export const problemPathsOf = ({ error }: CallResult) => error?.problems.map(({ path }) => path);

/** A user who is signed in. */
export interface SignedInUser {
  userId: number;
  email: string;
  sessionId: string;
  /** The generated password. */
  password: string;
  /** The value of the Cookie header: `next-auth.session-token=...`. */
  cookie: string;
  /**
   * Calls a procedure by its path, such as `keys.list`, as the pages do: a query by GET, a mutation by POST, a subscription to
   * its end.
   */
  call(path: string, input?: unknown, headers?: Record<string, string>): Promise<CallResult>;
}

/** Returns whether a procedure is called by GET: queries and subscriptions are. */
function isCalledWithGet(path: string): boolean {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  return /^(?:query|subscription)$/.test(procedures[path]?._def.type ?? '');
}

/** Reads a subscription to its end. Returns its events, and the error that ended it, if any, which is also sent as an event. */
async function readEvents(response: Response): Promise<CallResult> {
  const events = [...(await response.text()).matchAll(/^(?:event: (\S+)\n)?data: (.*)$/gm)];
  const errorEvent = events.find(([, kind]) => kind === 'serialized-error');
  const data = events.filter(([, kind]) => kind === undefined).map(([, , json = 'null']) => JSON.parse(json));
  if (!errorEvent) return { status: response.status, data, error: null };
  const { message, data: shape } = JSON.parse(errorEvent[2]!);
  return {
    status: shape.httpStatus,
    data,
    error: { code: shape.code, message, problems: toEnglishProblems(shape.problems) },
  };
}

/** Returns problems, which pages get as data, with the English messages that the REST API would send. */
const toEnglishProblems = (problems: readonly Problem[] = []) => problems.map(englishProblem);

/** Calls a procedure by tRPC, with the headers that a page's script sends. */
async function callProcedure(
  url: string,
  path: string,
  input: unknown,
  headers: Record<string, string>,
): Promise<CallResult> {
  const inputJson = input === undefined ? undefined : JSON.stringify(input);
  const isGet = isCalledWithGet(path);
  const search = isGet && inputJson !== undefined ? `?input=${encodeURIComponent(inputJson)}` : '';
  const response = await fetch(`${url}/api/trpc/${path}${search}`, {
    method: isGet ? 'GET' : 'POST',
    headers: { Origin: url, 'Content-Type': 'application/json', ...headers },
    body: isGet ? undefined : inputJson,
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return readEvents(response);
  const body = await response.json();
  const { status } = response;
  if (body.result) return { status, data: body.result.data, error: null };
  // A procedure's errors have tRPC's own format. A request that is refused before a procedure runs gets our envelope.
  const { code, problems, members } = body.error?.data ?? body;
  const message: string = body.error?.message ?? body.message;
  const changedMember = members?.changed && { changed: members.changed };
  return {
    status,
    data: null,
    error: { code, message, problems: toEnglishProblems(problems), ...changedMember },
  };
}

/** Signs a user in, with a session from `beginSession` and a token like next-auth's. */
export async function beginTestSession(
  service: TestService,
  { userId, email }: Pick<SignedInUser, 'userId' | 'email'>,
): Promise<Pick<SignedInUser, 'sessionId' | 'cookie' | 'call'>> {
  const sessionId = await beginSession(service.app.services.db, {
    user: { id: userId, email },
    method: 'password',
    origin: { address: '127.0.0.1', userAgent: 'test' },
    previousSessionId: null,
  });
  const token = await encode({ token: { sub: String(userId), sid: sessionId }, secret: TEST_SECRET });
  const cookie = `next-auth.session-token=${token}`;
  return {
    sessionId,
    cookie,
    call: (path, input, headers = {}) =>
      callProcedure(service.url, path, input, { Cookie: cookie, ...headers }),
  };
}

/** Creates a user with the role and signs them in. */
export async function createSignedInUser(service: TestService, role: Role): Promise<SignedInUser> {
  const { db } = service.app.services;
  const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
  const { id: userId, password } = await createUser(db, TEST_ACTOR, { email, role });
  const session = await beginTestSession(service, { userId, email });
  return { userId, email, password: password!, ...session };
}

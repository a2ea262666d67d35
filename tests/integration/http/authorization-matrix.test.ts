import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '../../../src/server/api/router';
import {
  type CredentialKind,
  makeSecrets,
  REFUSED_BEARER_CREDENTIALS,
  REFUSED_KEYS,
  type Secrets,
  VALID_CREDENTIALS,
} from '../../support/credentials';
import { startTestService, type TestService } from '../../support/service/test-service';

interface Call {
  name: string;
  method: string;
  path: string;
  credential: 'key' | 'bearer' | 'session';
  /** The document's example for this call, if any, so that only the credential can be refused; `{}` for other mutations. */
  body: string | undefined;
}

/** The parts of an operation in the document that the test reads. */
interface DocumentedOperation {
  operationId: string;
  security: object[];
  requestBody?: { content: { 'application/json': { schema: { examples: object[] } } } };
}

/** The parts of a procedure's declaration that the test reads. */
interface DeclaredProcedure {
  _def: {
    type: 'query' | 'mutation' | 'subscription';
    meta: { credential: Call['credential']; openapi?: { operationId: string } };
  };
}

let service: TestService;
let secrets: Secrets;
let operationCalls: Call[];
let procedureCalls: Call[];

interface ReceivedResponse {
  status: number;
  challenge: string | undefined;
  text: string;
  requestId: unknown;
}

/** Does not use fetch, which merges or refuses headers that clients do send. */
function send({ method, path, body }: Call, kind: CredentialKind): Promise<ReceivedResponse> {
  const query = kind.query?.(secrets);
  const headers = { 'Content-Type': 'application/json', ...kind.headers?.(secrets) };
  return new Promise((resolve, reject) => {
    const req = request(service.url + path + (query ? `?${query}` : ''), { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const { 'www-authenticate': challenge, 'x-request-id': requestId } = response.headers;
        resolve({ status: response.statusCode!, challenge, text, requestId });
      });
    });
    req.on('error', reject).end(body);
  });
}

/** Returns the number of rows in each table. */
async function countRows(): Promise<Record<string, number>> {
  // Calls made earlier with valid keys may not be in the request log yet.
  await service.app.services.keyCalls.flush();
  const tables = await service.database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const selects = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*)::int AS row_count FROM "${name}"`,
  );
  const rows = await service.database.query<{ name: string; row_count: number }>(selects.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, row_count }) => [name, row_count]));
}

/**
 * Sends each call with the credential. Returns every response that is not the expected refusal. A null challenge is not checked.
 */
async function findUnexpectedResponses(
  calls: Call[],
  kind: CredentialKind,
  challenge: string | null,
): Promise<unknown[]> {
  const unexpectedResponses: unknown[] = [];
  for (const call of calls) {
    const { status, text, ...headers } = await send(call, kind);
    const json = call.method === 'HEAD' ? null : JSON.parse(text);
    const envelope = { success: false, code: 'unauthorized', request_id: headers.requestId };
    const isRefused =
      status === 401 &&
      (challenge === null || headers.challenge === challenge) &&
      (json === null || Object.entries(envelope).every(([name, value]) => json[name] === value)) &&
      !Object.values(secrets).some((secret) => text.includes(secret));
    if (!isRefused) unexpectedResponses.push({ call: call.name, status, text, ...headers });
  }
  return unexpectedResponses;
}

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '100000' });
  secrets = await makeSecrets(service);
  const { json: document } = await service.send('/docs/api/openapi.json');
  const bodyByOperationId = new Map<string, string | undefined>();
  operationCalls = Object.entries<Record<string, DocumentedOperation>>(document.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId, security, requestBody }]) => {
        const example = requestBody?.content['application/json'].schema.examples[0];
        const body = example && JSON.stringify({ ...example, account_id: service.shopId });
        bodyByOperationId.set(operationId, body);
        const credential = 'ApiKey' in security[0]! ? ('key' as const) : ('bearer' as const);
        const call = { name: `${method} ${path}`, path, credential, body };
        const headCalls = method === 'get' ? [{ ...call, name: `head ${path}`, method: 'HEAD' }] : [];
        return [{ ...call, method: method.toUpperCase() }, ...headCalls];
      }),
  );
  procedureCalls = Object.entries<DeclaredProcedure>(appRouter._def.procedures as never).map(
    ([name, { _def }]) => {
      const { type, meta } = _def;
      const method = type === 'mutation' ? 'POST' : 'GET';
      const body =
        method === 'POST' ? (bodyByOperationId.get(meta.openapi?.operationId ?? '') ?? '{}') : undefined;
      return { name, method, path: `/api/trpc/${name}`, credential: meta.credential, body };
    },
  );
});
afterAll(() => service?.close());

describe('every operation that requires a key', () => {
  it.each(REFUSED_KEYS)(
    'returns 401 for a request with $name, over REST and native tRPC, and stores nothing',
    async (kind) => {
      const challenge = 'ApiKey realm="Brickdesk", header="X-Api-Key"';
      const countsBefore = await countRows();
      const protectedCalls = operationCalls.filter(({ credential }) => credential === 'key');
      expect(await findUnexpectedResponses(protectedCalls, kind, challenge)).toEqual([]);
      // Over native tRPC, a cookie may be a user's, which no challenge can ask for, so the challenge is not checked.
      const nativeChallenge = kind.headers?.(secrets).Cookie ? null : challenge;
      expect(await findUnexpectedResponses(procedureCalls, kind, nativeChallenge)).toEqual([]);
      expect(await countRows()).toEqual(countsBefore);
    },
  );
});

describe('every operation that requires a bearer token', () => {
  it.each(REFUSED_BEARER_CREDENTIALS)(
    'returns 401 for a request with $name, and stores nothing',
    async (kind) => {
      const challenge = `Bearer realm="Brickdesk", scope="user:read"${kind.sendsToken ? ', error="invalid_token"' : ''}`;
      const countsBefore = await countRows();
      const protectedCalls = operationCalls.filter(({ credential }) => credential === 'bearer');
      expect(protectedCalls).not.toEqual([]);
      expect(await findUnexpectedResponses(protectedCalls, kind, challenge)).toEqual([]);
      expect(await countRows()).toEqual(countsBefore);
    },
  );
});

it('over native tRPC, a valid key reaches only procedures that require a key', async () => {
  for (const call of procedureCalls.filter(({ credential }) => credential !== 'key')) {
    const { status, text } = await send(call, VALID_CREDENTIALS.key);
    // A subscription has already started its response and reports the refusal in its first event.
    const refusalStatus = /"httpStatus":(\d+)/.exec(text)?.[1] ?? status;
    expect(Number(refusalStatus), call.name).toBe(401);
  }
});

describe('the tested calls', () => {
  it('cover at least seventeen different operations and seventeen procedures', () => {
    expect(new Set(operationCalls.map(({ path, method }) => `${method} ${path}`)).size).toBe(
      operationCalls.length,
    );
    expect(operationCalls.filter(({ method }) => method !== 'HEAD').length).toBeGreaterThanOrEqual(17);
    expect(procedureCalls.length).toBeGreaterThanOrEqual(17);
  });

  // Runs last, so that delayed writes of successful calls do not change the counts of other tests.
  it('of operations are admitted with a valid credential, so only the credential explains the refusals', async () => {
    const countsBefore = await countRows();
    for (const call of operationCalls) {
      const { status, text } = await send(call, VALID_CREDENTIALS[call.credential]);
      expect(status, `${call.name}: ${text}`).not.toBe(401);
    }
    const countsAfter = await countRows();
    for (const table of ['inbound_records', 'orders', 'shop_daily_statistics', 'product_daily_statistics'])
      expect(countsAfter[table], table).toBeGreaterThan(countsBefore[table]!);
  });
});

/**
 * Sends valid and invalid requests, generated from our own OpenAPI document, to the real service and checks every response
 * against the document.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateDocuments } from '../../../scripts/snapshot';
import { setPrompt } from '../../../src/server/messages/prompts/service';
import { createDocumentCheck, type Operation } from '../../support/document-check';
import { anyJson, arbitraryFromSchema, mutatedArbitraryFrom } from '../../support/schema-values';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../support/stand-ins/carrier-stand-in';
import {
  startTextProviderStandIn,
  type TextProviderStandIn,
} from '../../support/stand-ins/text-provider-stand-in';

const document = JSON.parse(generateDocuments()['openapi.json']);
const check = createDocumentCheck(document);

let service: TestService;
let carrier: CarrierStandIn;
let provider: TextProviderStandIn;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  provider = await startTextProviderStandIn();
  provider.script({ kind: 'reply', text: 'Thank you. Your parcel LX123456789CN left on 08/28/2026.' });
  service = await startTestService({
    RATE_LIMIT_PER_MINUTE: '10000000',
    LOG_LEVEL: 'error',
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.track17Url,
    CARRIER_TIMEOUT_MS: '2000',
    OPENAI_API_KEY: 'sk-fuzz',
    OPENAI_BASE_URL: provider.url,
  });
  const { db } = service.app.services;
  for (const shopName of ['Test shop', 'My shop'])
    await setPrompt(db, TEST_ACTOR, { shopName, text: 'You answer for the shop.' });
});
afterAll(async () => {
  await service.close();
  await Promise.all([carrier.close(), provider.close()]);
});

interface FuzzRequest {
  query: string;
  body: string | undefined;
  headers: Record<string, string | undefined>;
  method: string;
  /** Whether the document allows the parameters and body. */
  isAllowed: boolean;
}

type Query = [string, string][];

function allowsQuery({ path, method, parameters }: Operation, query: Query): boolean {
  return parameters.every(({ name, schema }, n) => {
    // Stands for any parameters.
    if (schema.type === 'object') return true;
    const values = query.filter(([key]) => key === name).map(([, value]) => value);
    if (values.length === 0) return true;
    const [text = ''] = values;
    const value = schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
    return (
      values.length === 1 &&
      !check.findProblem(['paths', path, method, 'parameters', String(n), 'schema'], value)
    );
  });
}

function arbitraryQuery({ parameters }: Operation, isInvalid: boolean): fc.Arbitrary<Query> {
  const declaredParameters = parameters.map(({ name, schema }) =>
    fc.option(
      arbitraryFromSchema(schema, check.resolve).map(
        (value): Query =>
          schema.type === 'object'
            ? Object.entries(value as Record<string, string>)
            : [[name, String(value)]],
      ),
      { freq: 3, nil: [] },
    ),
  );
  const extraNames = fc.constantFrom(
    'x',
    'format',
    '__proto__',
    'constructor',
    ...parameters.map(({ name }) => name),
  );
  const extraParameters: fc.Arbitrary<Query> = isInvalid
    ? fc.array(
        fc.tuple(
          extraNames,
          anyJson.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
        ),
        {
          maxLength: 3,
        },
      )
    : fc.constant([]);
  return fc
    .tuple(fc.tuple(...declaredParameters), extraParameters)
    .map(([declaredPairs, extraPairs]) => [...declaredPairs.flat(), ...extraPairs]);
}

const arbitraryStandardHeaders = fc.record(
  {
    'X-Request-Id': fc.constantFrom('a', 'x'.repeat(128), 'bad id', 'x'.repeat(129)),
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"y", "z"'),
    Accept: fc.constantFrom('text/html', 'application/json'),
    Authorization: fc.constantFrom('Bearer abc', 'Bearer', 'Basic eDp5'),
  },
  { requiredKeys: [] },
);

const arbitraryInvalidHeaders = fc.record(
  {
    'X-Api-Key': fc.constantFrom(undefined, '', 'bd_wrong', 'x'.repeat(4000)),
    'Content-Type': fc.constantFrom(undefined, 'text/plain', 'application/json; charset=utf-16', '*/*'),
    'Content-Encoding': fc.constantFrom('gzip', 'br'),
    'Idempotency-Key': fc.constantFrom('same', '', 'x'.repeat(300), 'a b'),
  },
  { requiredKeys: [] },
);

const BAD_BODIES = [
  '',
  '{',
  '[]',
  'null',
  '{"a":1e999}',
  '{"a":"\\ud800"}',
  '\u0000',
  '{"a":1}{"b":2}',
  '{"__proto__":1}',
];

function arbitraryBody(operation: Operation, isInvalid: boolean): fc.Arbitrary<string | undefined> {
  if (!operation.body) return fc.constant(undefined);
  const validBody = arbitraryFromSchema(operation.body, check.resolve);
  const toJson = (value: unknown) => JSON.stringify(value) ?? '';
  if (!isInvalid) return validBody.map(toJson);
  return fc.oneof(
    { weight: 8, arbitrary: mutatedArbitraryFrom(validBody).map(toJson) },
    { weight: 1, arbitrary: anyJson.map(toJson) },
    { weight: 1, arbitrary: fc.constantFrom(...BAD_BODIES) },
  );
}

function allowsBody({ path, method, body: schema }: Operation, body: string | undefined): boolean {
  if (!schema) return true;
  try {
    const schemaPath = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
    return check.findProblem(schemaPath, JSON.parse(body ?? '')) === null;
  } catch {
    return false;
  }
}

function arbitraryRequest(operation: Operation, isInvalid: boolean): fc.Arbitrary<FuzzRequest> {
  const headers = isInvalid
    ? fc
        .option(arbitraryInvalidHeaders, { freq: 3, nil: {} })
        .map((extraHeaders) => extraHeaders as FuzzRequest['headers'])
    : fc.constant<FuzzRequest['headers']>({});
  const method =
    operation.method === 'get'
      ? fc.oneof({ weight: 9, arbitrary: fc.constant('GET') }, fc.constant('HEAD'))
      : fc.constant('POST');
  return fc
    .tuple(
      arbitraryQuery(operation, isInvalid),
      arbitraryBody(operation, isInvalid),
      arbitraryStandardHeaders,
      headers,
      method,
    )
    .map(([query, body, standardHeaders, extraHeaders, httpMethod]) => ({
      query: query.length > 0 ? `?${new URLSearchParams(query)}` : '',
      body,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...standardHeaders,
        ...extraHeaders,
      },
      method: httpMethod,
      isAllowed: allowsQuery(operation, query) && allowsBody(operation, body),
    }));
}

/** The operation that stores any object, even one that its schema does not describe (docs/tracking.md). */
const ANY_OBJECT_OPERATION_ID = 'post_api_v1_tracks';

const statusCountsByOperationId = new Map<string, Map<number, number>>();

async function sendAndCheck(operation: Operation, request: FuzzRequest): Promise<void> {
  const response = await service.send(operation.path + request.query, request);
  const counts = statusCountsByOperationId.get(operation.operationId) ?? new Map<number, number>();
  statusCountsByOperationId.set(
    operation.operationId,
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1),
  );
  const summary = `${response.status} ${response.text.slice(0, 500)}`;
  expect(response.status, summary).not.toBe(500);
  if (request.method === 'HEAD') {
    expect(response.text).toBe('');
    expect(Object.keys(operation.responses)).toContain(String(response.status));
    return;
  }
  expect(check.findResponseProblem(operation, response), summary).toBeNull();
  if (!request.isAllowed && operation.operationId !== ANY_OBJECT_OPERATION_ID)
    expect(response.status, `the document does not allow this, yet: ${summary}`).not.toBe(200);
  const id = request.headers['X-Request-Id'];
  if (id && /^[\w.-]{1,128}$/.test(id)) expect(response.headers.get('x-request-id')).toBe(id);
}

/** The number of requests of each kind per operation; FUZZ_RUNS=2000 searches longer. */
const RUN_COUNT = Number(process.env.FUZZ_RUNS ?? 200);

/** The carrier is called at most three times a second, so get_api_logistics gets fewer valid requests. */
const runCountOf = ({ operationId }: Operation, isInvalid: boolean) =>
  operationId === 'get_api_logistics' && !isInvalid ? RUN_COUNT / 10 : RUN_COUNT;

describe.each(check.operations)('$operationId', (operation) => {
  it.each([
    ['valid', false],
    ['invalid', true],
  ])(
    'responds as documented to many %s requests',
    async (_, isInvalid) => {
      await fc.assert(
        fc.asyncProperty(arbitraryRequest(operation, isInvalid), (request) =>
          sendAndCheck(operation, request),
        ),
        { numRuns: runCountOf(operation, isInvalid), endOnFailure: false, interruptAfterTimeLimit: 100_000 },
      );
    },
    120_000,
  );

  it('returns 401, and also 200 and 422 where it can', async () => {
    const body = operation.body && '{}';
    const headers = { 'X-Api-Key': undefined };
    const method = operation.method.toUpperCase();
    await sendAndCheck(operation, { query: '', body, headers, method, isAllowed: false });
    const seenStatuses = [...(statusCountsByOperationId.get(operation.operationId)?.keys() ?? [])];
    expect(seenStatuses).toContain(401);
    if (operation.operationId !== 'get_api_user') expect(seenStatuses).toContain(200);
    if ('422' in operation.responses) expect(seenStatuses).toContain(422);
  });
});

it('get_api_logistics responds as documented with the events that the carrier reports', async () => {
  const operation = check.operations.find(({ operationId }) => operationId === 'get_api_logistics')!;
  // Few of the valid requests above have a tracking number that the carrier is asked about.
  const response = await service.send(`${operation.path}?tracking_number=LX123456789CN`);
  expect(check.findResponseProblem(operation, response), response.text).toBeNull();
  expect(response.json.data[0].events.length).toBeGreaterThan(0);
});

describe('the examples in the document', () => {
  it('match their schemas', () => {
    const examples = check.listExamples();
    expect(examples.length).toBeGreaterThan(50);
    const invalidExamples = examples.flatMap(({ schemaPath, example }) => {
      const problem = check.findProblem(schemaPath, example);
      return problem ? [`${schemaPath.join('.')}: ${JSON.stringify(example)}: ${problem}`] : [];
    });
    expect(invalidExamples).toEqual([]);
  });
});

import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readOperations } from '../../../src/server/api/operations';
import { type AppRouter, appRouter } from '../../../src/server/api/router';
import { bareProcedure, router } from '../../../src/server/trpc/init';
import { keyProcedure } from '../../../src/server/trpc/procedures';
import { announceBody } from '../../support/service/slow-request';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const IMPORT_PATH = '/api/orders/import';
const makeBody = () => ({ account_id: service.shopId, rows: [{ receipt_id: 'trap' }] });

interface Definition {
  coerce?: boolean;
  shape?: object;
  innerType?: unknown;
  element?: unknown;
  in?: unknown;
  out?: unknown;
}

/** Returns the definitions of the coercing schemas in the router's inputs, also inside objects, lists, wrappers and pipes. */
function findCoercingSchemas(checkedRouter: AnyTRPCRouter): unknown[] {
  const seenDefinitions = new Set<Definition>();
  const visit = (schema: unknown): void => {
    const definition = (schema as { _zod?: { def?: Definition } } | undefined)?._zod?.def;
    if (!definition || seenDefinitions.has(definition)) return;
    seenDefinitions.add(definition);
    const { innerType, element, in: input, out } = definition;
    for (const innerSchema of [innerType, element, input, out, ...Object.values(definition.shape ?? {})])
      visit(innerSchema);
  };
  const procedures = Object.values(
    checkedRouter._def.procedures as Record<string, { _def: { inputs?: unknown[] } }>,
  );
  for (const { _def } of procedures) for (const input of _def.inputs ?? []) visit(input);
  return [...seenDefinitions].filter(({ coerce }) => coerce);
}

describe('trpc-openapi', () => {
  it('never coerces a JSON body, in the first request or any later one', async () => {
    for (let n = 0; n < 3; n++) {
      for (const account_id of [null, '', '1', true, [1]]) {
        expect((await service.send(IMPORT_PATH, { body: { ...makeBody(), account_id } })).status).toBe(422);
      }
      for (const excel_format of ['false', 0, '', null]) {
        expect((await service.send(IMPORT_PATH, { body: { ...makeBody(), excel_format } })).status).toBe(422);
      }
      expect((await service.send(IMPORT_PATH, { body: makeBody() })).status).toBe(200);
    }
  });

  it('adds no coercion to the schemas of operations when they are called', async () => {
    await service.send('/api/v1/tracking-text?order_id=1');
    expect((await service.send(IMPORT_PATH, { body: makeBody() })).status).toBe(200);
    expect(findCoercingSchemas(appRouter)).toEqual([]);
    const coercingInput = z.object({ list: z.array(z.object({ n: z.int().nullable() })) });
    (coercingInput.shape.list.element.shape.n.unwrap()._zod.def as { coerce?: boolean }).coerce = true;
    expect(
      findCoercingSchemas(router({ caught: keyProcedure.input(coercingInput).query(() => null) })),
    ).toHaveLength(1);
  });

  it('reads a body sent as application/json; charset=utf-8', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON',
    ]) {
      expect(
        (await service.send(IMPORT_PATH, { body: makeBody(), headers: { 'Content-Type': type } })).status,
      ).toBe(200);
    }
  });

  it('accepts bodies far beyond its own default of 100 KB', async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => ({ receipt_id: `big-${n}`, note: 'x'.repeat(100) }));
    expect((await service.importRows(rows)).json.data.new_orders).toBe(2000);
  });

  it.each(['[1]', 'null', '[]', '"{}"'])('never turns the body %s into an empty object', async (body) => {
    const response = await service.send(IMPORT_PATH, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(response.json.errors).toEqual([{ path: '', message: 'The body must be a JSON object.' }]);
  });

  it('never lets the text of an unexpected error reach the client, over REST or native tRPC', async () => {
    await service.database.query('ALTER TABLE import_changes RENAME TO import_changes_away');
    await service.database.query('ALTER TABLE shops RENAME TO shops_away');
    try {
      const response = await service.send(IMPORT_PATH, { body: makeBody() });
      expect(response.status).toBe(500);
      expect(response.json).toMatchObject({ success: false, code: 'internal_error' });
      expect(response.text).not.toMatch(/shops|relation|SELECT|node_modules|\.ts/);
      const nativeResponse = await service.send('/api/trpc/orders.import', { body: makeBody() });
      expect(nativeResponse.status).toBe(500);
      expect(nativeResponse.text).not.toMatch(/shops|relation|SELECT|node_modules|\.ts/);
    } finally {
      await service.database.query('ALTER TABLE import_changes_away RENAME TO import_changes');
      await service.database.query('ALTER TABLE shops_away RENAME TO shops');
    }
  });

  it.each([
    '/api/Orders/Import',
    '/API/orders/import',
    '/api/orders/import/',
    '/api//orders/import',
    '/api/orders%2Fimport',
    '/api/orders/import/x',
    '/api',
    '/api/',
  ])('matches paths exactly: %s is unknown', async (otherPath) => {
    const response = await service.send(otherPath, { body: makeBody() });
    expect(response.status).toBe(404);
    expect(response.json).toMatchObject({ success: false, code: 'not_found' });
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'treats a query parameter named %s like any other',
    async (name) => {
      expect((await service.send(`/api/legos-cate?${name}=1&${name}=2`)).status).toBe(200);
      const refusal = await service.send(`/api/v1/tracking-text?tracking_number=X&${name}=1`);
      expect([refusal.status, refusal.json.errors[0].path]).toEqual([422, name]);
    },
  );

  it('is not affected by an invalid Host header', async () => {
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const req = request(
        service.url + IMPORT_PATH,
        {
          method: 'POST',
          headers: { Host: ']:[', 'X-Api-Key': service.key, 'Content-Type': 'application/json' },
        },
        (res) => {
          res.resume();
          resolve(res.statusCode);
        },
      );
      req.on('error', reject).end(JSON.stringify(makeBody()));
    });
    expect(status).toBe(200);
  });
});

it('readOperations refuses two procedures that share a route, and a procedure that declares no effect or no credential', () => {
  const meta = {
    effect: 'reads',
    openapi: { method: 'POST', path: '/api/x', operationId: 'x', summary: 'X', description: 'An x.' },
  } as const;
  const routerWithDuplicateRoute = router({
    a: keyProcedure
      .meta(meta)
      .output(z.number())
      .mutation(() => 1),
    b: keyProcedure
      .meta(meta)
      .output(z.number())
      .mutation(() => 2),
  });
  expect(() => readOperations(routerWithDuplicateRoute)).toThrow('POST /api/x');
  const { effect: _, ...metaWithoutEffect } = meta;
  const routerWithoutEffect = router({ a: keyProcedure.meta(metaWithoutEffect).mutation(() => 1) });
  expect(() => readOperations(routerWithoutEffect)).toThrow('an effect');
  expect(() => readOperations(router({ open: bareProcedure.query(() => 1) }))).toThrow(
    'declares no credential',
  );
});

describe('native tRPC', () => {
  const createClient = (headers: Record<string, string>) =>
    createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${service.url}/api/trpc`, headers })] });

  it('imports orders with the same response and the same checks as REST', async () => {
    const trpc = createClient({ 'X-Api-Key': service.key });
    const response = await trpc.orders.import.mutate({
      account_id: service.shopId,
      rows: [{ receipt_id: 'native-1' }],
    });
    expect(response).toEqual({
      success: true,
      message: '导入完成',
      data: { new_orders: 1, updated_orders: 0, order_items_inserted: 1 },
    });
    const refusedCallPromise = trpc.orders.import.mutate({
      account_id: service.shopId,
      rows: [{ receipt_id: 'n', quantity: 'x' }],
    });
    await expect(refusedCallPromise).rejects.toThrow('rows.0.quantity');
  });

  it('refuses a caller without a key before the body is read, as REST does', async () => {
    const refusedCallPromise = createClient({}).orders.import.mutate({
      account_id: 1,
      rows: [{ receipt_id: 'n' }],
    });
    await expect(refusedCallPromise).rejects.toThrow(TRPCClientError);
    const headers = { 'Content-Type': 'application/json' };
    for (const path of ['/api/trpc/orders.import', '/api/orders/import'])
      expect([path, await announceBody(service.url + path, headers, 1_000)]).toEqual([path, 401]);
  });

  it('refuses a batch with more calls than one request may contain', async () => {
    const names = Array(50).fill('orders.import').join(',');
    const response = await service.send(`/api/trpc/${names}?batch=1`, { body: {} });
    expect(response.status).toBe(422);
  });
});

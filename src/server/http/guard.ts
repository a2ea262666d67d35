import type { Route } from '../api/routes';
import { isInRanges } from '../core/address-range';
import { ServiceError, validationError } from '../core/errors';
import { parseJsonObject } from '../core/json-object';
import { because, problemAt } from '../core/reason';
import { lackOfScope } from '../identity/keys/scope';
import { authenticateKey, type KeyPrincipal } from '../identity/keys/service';
import type { Services } from '../trpc/context';
import { type BodyLimits, readBody, requireJson } from './body';
import type { Exchange } from './exchange';

type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>;

/** @throws ServiceError `not_found` for an unknown path, `method_not_allowed` (with Allow) for another method */
export function findRoute(routes: Routes, exchange: Exchange): Route {
  const methods = routes.get(exchange.path);
  if (!methods) {
    throw new ServiceError('not_found', because('request.noPathDocumented'));
  }
  const method = exchange.req.method === 'HEAD' ? 'GET' : (exchange.req.method ?? '');
  const route = methods.get(method);
  if (route) return route;
  const allowed = [...methods.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  throw new ServiceError('method_not_allowed', because('request.method', { methods: allowed.join(', ') }), {
    headers: { Allow: allowed.join(', ') },
  });
}

/**
 * Finds the request's key, and keeps it with the exchange.
 *
 * @throws ServiceError `unauthorized` unless X-Api-Key holds a good key; `forbidden` where the request comes from outside the
 * key's ranges; `service_unavailable` where nobody can tell
 */
export async function requireKey(services: Services, exchange: Exchange): Promise<KeyPrincipal> {
  const given = exchange.req.headers['x-api-key'];
  const key = typeof given === 'string' ? await authenticateKey(services.db, given, services.now) : null;
  if (key) {
    exchange.key = key;
    requireAddress(key, exchange.address);
    return key;
  }
  const message = given === undefined ? because('request.noKey') : because('request.badKey');
  throw new ServiceError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'ApiKey realm="Brickdesk", header="X-Api-Key"' },
  });
}

function requireAddress({ addressRanges }: KeyPrincipal, address: string): void {
  if (addressRanges.length === 0 || isInRanges(address, addressRanges)) return;
  const from = address || 'a client whose address is unknown';
  throw new ServiceError('forbidden', because('request.keyAddress', { address: from }));
}

/** @throws ServiceError `forbidden` where there is a key and its scopes do not name the operation */
export function requireScope(key: KeyPrincipal | null, operationId: string): void {
  const lack = key && lackOfScope(key, operationId);
  if (lack) throw lack;
}

/** What came with a request: the input for its procedure, and the body's bytes. */
export interface ReadInput {
  input: object;
  bytes: Uint8Array;
}

const NOTHING = new Uint8Array();

/** `__proto__` would vanish on its way to the schema, which refuses unknown parameters (docs/api-conventions.md). */
function refuseProto(query: string): void {
  if (!new URLSearchParams(query).has('__proto__')) return;
  throw validationError([problemAt('__proto__', because('body.unknownField'))]);
}

/**
 * Reads the input of an operation: the JSON object of a POST, nothing of a GET. Where the operation takes the body as it came,
 * that is kept with the exchange, a GET's too.
 */
export async function readInput(exchange: Exchange, route: Route, limits: BodyLimits): Promise<ReadInput> {
  const { req } = exchange;
  if (route.method === 'POST') requireJson(req);
  else if (route.body === 'json') {
    if (route.input) refuseProto(exchange.query);
    return { input: {}, bytes: NOTHING };
  }
  const bytes = await readBody(req, limits[route.bodyLimit]);
  if (route.body === 'json') return { input: parseJsonObject(bytes), bytes };
  exchange.body = bytes;
  return { input: {}, bytes };
}

import type { Operation } from '../api/operations';
import { isInRanges } from '../core/address-range';
import { methodNotAllowed, ServiceError, withoutStack } from '../core/errors/errors';
import { because } from '../core/errors/reason';
import { authenticateKey } from '../identity/keys/service';
import type { KeyPrincipal } from '../identity/principals';
import { refusalOfScope } from '../identity/scope';
import type { Services } from '../trpc/context';
import type { Exchange } from './exchange';

type ByPath = ReadonlyMap<string, ReadonlyMap<string, Operation>>;

/** Operations by path, then by method. */
export function byPath(operations: readonly Operation[]): ByPath {
  const paths = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? new Map<string, Operation>();
    paths.set(operation.path, methods.set(operation.method, operation));
  }
  return paths;
}

/** @throws ServiceError `not_found` for an unknown path, `method_not_allowed` (with Allow) for another method */
export function findOperation(operations: ByPath, exchange: Exchange): Operation {
  const methods = operations.get(exchange.path);
  if (!methods) {
    throw new ServiceError('not_found', because('request.noPathDocumented'));
  }
  const method = exchange.req.method === 'HEAD' ? 'GET' : (exchange.req.method ?? '');
  const operation = methods.get(method);
  if (operation) return operation;
  const allowed = [...methods.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  throw methodNotAllowed(allowed);
}

/**
 * Finds the request's key and stores it in the exchange.
 *
 * @throws ServiceError `unauthorized` unless X-Api-Key holds a valid key; `forbidden` if the request comes from outside the
 * key's ranges; `service_unavailable` if the key cannot be checked now
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
  const headers = { 'WWW-Authenticate': 'ApiKey realm="Brickdesk", header="X-Api-Key"' };
  throw withoutStack(() => new ServiceError('unauthorized', message, { headers }));
}

function requireAddress({ addressRanges }: KeyPrincipal, address: string): void {
  if (addressRanges.length === 0 || isInRanges(address, addressRanges)) return;
  const from = address || 'a client whose address is unknown';
  throw new ServiceError('forbidden', because('request.keyAddress', { address: from }));
}

/** @throws ServiceError `forbidden` if there is a key whose scopes do not include the operation */
export function requireScope(key: KeyPrincipal | null, operationId: string): void {
  const refusal = key && refusalOfScope(key, operationId);
  if (refusal) throw refusal;
}

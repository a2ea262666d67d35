import type { Operation } from '../api/operations';
import { methodNotAllowed, notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Exchange } from './exchange';

type OperationsByPath = ReadonlyMap<string, ReadonlyMap<string, Operation>>;

/** Groups operations by path, then by method. */
export function operationsByPath(operations: readonly Operation[]): OperationsByPath {
  const paths = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? new Map<string, Operation>();
    paths.set(operation.path, methods.set(operation.method, operation));
  }
  return paths;
}

/** @throws ServiceError `not_found` for an unknown path, `method_not_allowed` (with Allow) for another method */
export function findOperation(operations: OperationsByPath, exchange: Exchange): Operation {
  const methods = operations.get(exchange.path);
  if (!methods) {
    throw notFound(createReason('request.noPathDocumented'));
  }
  const method = exchange.req.method === 'HEAD' ? 'GET' : (exchange.req.method ?? '');
  const operation = methods.get(method);
  if (operation) return operation;
  const allowed = [...methods.keys()].flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  throw methodNotAllowed(allowed);
}

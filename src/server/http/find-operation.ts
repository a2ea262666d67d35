import type { Operation } from '../api/operations';
import { methodNotAllowed, notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Exchange } from './exchange';

type OperationsByPath = ReadonlyMap<string, ReadonlyMap<string, Operation>>;

/** Groups operations by path, then by method. */
export function groupOperationsByPath(operations: readonly Operation[]): OperationsByPath {
  const operationsByPath = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const operationsByMethod = operationsByPath.get(operation.path) ?? new Map<string, Operation>();
    operationsByPath.set(operation.path, operationsByMethod.set(operation.method, operation));
  }
  return operationsByPath;
}

/** @throws ServiceError `not_found` for an unknown path; `method_not_allowed`, with an Allow header, for an unsupported method */
export function findOperation(operationsByPath: OperationsByPath, exchange: Exchange): Operation {
  const operationsByMethod = operationsByPath.get(exchange.path);
  if (!operationsByMethod) {
    throw notFound(createReason('request.noPathDocumented'));
  }
  const method = exchange.req.method === 'HEAD' ? 'GET' : (exchange.req.method ?? '');
  const operation = operationsByMethod.get(method);
  if (operation) return operation;
  const allowedMethods = [...operationsByMethod.keys()].flatMap((name) =>
    name === 'GET' ? ['GET', 'HEAD'] : [name],
  );
  throw methodNotAllowed(allowedMethods);
}

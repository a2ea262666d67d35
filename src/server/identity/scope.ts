import { ServiceError, validationError } from '../core/errors/errors';
import { createReason, problemAt } from '../core/errors/reason';

/** An API operation that a key may call, under the name that scopes use. */
export interface KeyOperation {
  name: string;
  summary: string;
}

/** The operations that a key may call, and where it may be used from. An empty list sets no restriction. */
export interface KeyRestrictions {
  scopes: readonly string[];
  addressRanges: readonly string[];
}

/**
 * Returns why a key may not call an operation, or null if it may. A key with scopes may call only the operations they name,
 * whether over REST, tRPC or MCP. The error names the requested operation but not the allowed ones.
 */
export function scopeRefusal(key: KeyRestrictions, operation: string | undefined): ServiceError | null {
  if (key.scopes.length === 0 || (operation !== undefined && key.scopes.includes(operation))) return null;
  const reason =
    operation === undefined
      ? createReason('request.unknownScope')
      : createReason('request.scope', { operation });
  return new ServiceError('forbidden', reason);
}

/** @throws ServiceError `validation_failed` naming each scope that is not an operation and so would have no effect */
export function requireKnownScopes(
  operations: readonly KeyOperation[],
  scopes: readonly string[],
  pathOf = (index: number) => `scopes.${index}`,
): void {
  const operationNames = new Set(operations.map(({ name }) => name));
  const problems = scopes.flatMap((scope, index) =>
    operationNames.has(scope) ? [] : [problemAt(pathOf(index), createReason('key.operation'))],
  );
  if (problems.length > 0) throw validationError(problems);
}

import { ServiceError, validationError } from '../core/errors';
import { because, problemAt } from '../core/reason';

/** An operation of the API that a key may call, as scopes name it. */
export interface KeyOperation {
  name: string;
  summary: string;
}

/** What a key may do: empty lists allow all. */
export interface KeyBounds {
  scopes: readonly string[];
  addressRanges: readonly string[];
}

/**
 * What a key lacks to call an operation; null where nothing is. A key with scopes may call what they name and nothing else,
 * whichever way it comes. The text names the operation that was asked for and none of the others.
 */
export function refusalOfScope(key: KeyBounds, operation: string | undefined): ServiceError | null {
  if (key.scopes.length === 0 || (operation !== undefined && key.scopes.includes(operation))) return null;
  return new ServiceError('forbidden', because('request.scope', { operation: operation ?? 'this' }));
}

/** @throws ServiceError `validation_failed` naming each scope that is no operation's name: a key would wait for it in vain */
export function requireKnownScopes(operations: readonly KeyOperation[], scopes: readonly string[]): void {
  const known = new Set(operations.map(({ name }) => name));
  const problems = scopes.flatMap((scope, index) =>
    known.has(scope) ? [] : [problemAt(`scopes.${index}`, because('key.operation'))],
  );
  if (problems.length > 0) throw validationError(problems);
}

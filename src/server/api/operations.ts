import type { AnyTRPCRouter, TRPCProcedureType } from '@trpc/server';
import { forEachOpenApiProcedure, getInputOutputParsers, type OpenApiProcedure } from 'trpc-openapi';
import type { z } from 'zod';
import type { KeyOperation } from '../identity/scope';
import type { Credential, Meta } from '../trpc/init';

/** The members of a procedure's meta that its operation takes over, with their defaults filled in. */
type OperationTraits = Required<
  Pick<
    Meta,
    | 'effect'
    | 'body'
    | 'bodyLimit'
    | 'hasEtag'
    | 'acceptsIdempotencyKey'
    | 'offersPlainText'
    | 'callsUpstream'
    | 'usesTokenBudget'
    | 'returnsNotFound'
  >
>;

/** An operation of the API as its procedure declares it: the source for REST, OpenAPI, the tool list and MCP. */
export interface Operation extends OperationTraits {
  /** The procedure's path in the router, such as `orders.import`. */
  procedure: string;
  type: TRPCProcedureType;
  method: 'GET' | 'POST';
  path: string;
  operationId: string;
  credential: Exclude<Credential, 'session'>;
  summary: string;
  description: string;
  /** Undefined if the operation takes neither parameters nor a body. */
  input: z.ZodType | undefined;
  output: z.ZodType;
  /** Examples of the input, for the documentation. */
  examples: unknown[] | undefined;
}

/** @throws Error unless the procedure declares a credential, and a permission if and only if the credential is a session */
function requireCredential(name: string, meta: Meta | undefined): void {
  if (!meta?.credential)
    throw new Error(`Procedure ${name} declares no credential: set who may call it in its meta.`);
  if ((meta.credential === 'session') !== (meta.permission !== undefined))
    throw new Error(`Procedure ${name}: declare a permission if, and only if, the credential is a session.`);
}

type OpenApiProcedures = Parameters<typeof forEachOpenApiProcedure>[0];

function operationOf(procedure: string, type: TRPCProcedureType, definition: OpenApiProcedure, meta: Meta) {
  const { method, path, operationId, summary, description } = meta.openapi!;
  const { credential, effect } = meta;
  if (!credential || credential === 'session')
    throw new Error(
      `Procedure ${procedure}: an operation of the API requires a key or a bearer token, not a session.`,
    );
  if ((method !== 'GET' && method !== 'POST') || !operationId || !summary || !description || !effect)
    throw new Error(
      `Procedure ${procedure}: an operation must be GET or POST and have an operationId, a summary, a description and an effect.`,
    );
  const { inputParser, outputParser, hasInputsDefined } = getInputOutputParsers(definition);
  if (!outputParser) throw new Error(`Procedure ${procedure}: an operation must declare its output.`);
  const input: z.ZodType | undefined = hasInputsDefined ? inputParser : undefined;
  return {
    procedure,
    type,
    method,
    path,
    operationId,
    credential,
    effect,
    body: meta.body ?? 'json',
    bodyLimit: meta.bodyLimit ?? 'common',
    hasEtag: meta.hasEtag ?? false,
    acceptsIdempotencyKey: meta.acceptsIdempotencyKey ?? false,
    offersPlainText: meta.offersPlainText ?? false,
    callsUpstream: meta.callsUpstream ?? false,
    usesTokenBudget: meta.usesTokenBudget ?? false,
    returnsNotFound: meta.returnsNotFound ?? false,
    summary,
    description,
    input,
    output: outputParser,
    examples: input?.meta()?.examples as unknown[] | undefined,
  } satisfies Operation;
}

/**
 * Reads the operations from the router, in its order.
 *
 * @throws Error, so that the service does not start, if a procedure declares no credential, an operation is incomplete, or two
 * share a method and path, which trpc-openapi does not detect in production
 */
export function readOperations(router: AnyTRPCRouter): Operation[] {
  const procedures = router._def.procedures as OpenApiProcedures;
  for (const [name, { _def }] of Object.entries(procedures)) requireCredential(name, _def.meta as Meta);
  const operations: Operation[] = [];
  const routes = new Set<string>();
  forEachOpenApiProcedure<Meta>(procedures, ({ path: name, type, procedure, meta }) => {
    const operation = operationOf(name, type, procedure, meta);
    const route = `${operation.method} ${operation.path}`;
    if (routes.has(route))
      throw new Error(`Procedure ${name}: ${route} already belongs to another procedure.`);
    routes.add(route);
    operations.push(operation);
  });
  return operations;
}

/** Returns the operations that a key may call, sorted by name; these are what scopes may contain. */
export function listKeyOperations(router: AnyTRPCRouter): KeyOperation[] {
  return readOperations(router)
    .filter(({ credential }) => credential === 'key')
    .map(({ operationId: name, summary }) => ({ name, summary }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

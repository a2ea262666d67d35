import type { AnyRouter } from '@trpc/server';
import type { z } from 'zod';
import type { KeyOperation } from '../identity/scope';
import type { Credential, Meta } from '../trpc/init';

/** A REST operation, as the layer in front of trpc-openapi needs to know it. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
  operationId: string;
  credential: Exclude<Credential, 'session'>;
  body: 'json' | 'bytes';
  bodyLimit: NonNullable<Meta['bodyLimit']>;
  etag: boolean;
  idempotent: boolean;
  plainText: boolean;
  upstream: boolean;
  summary: string;
  description: string;
  /** Undefined where it takes neither parameters nor a body. */
  input: z.ZodType | undefined;
  output: z.ZodType;
  /** Examples of the input, for the documentation. */
  examples?: unknown[];
}

interface DeclaredProcedure {
  _def: { meta?: Meta; inputs?: unknown[]; output?: unknown };
}

function procedures(router: AnyRouter): [string, DeclaredProcedure][] {
  return Object.entries(router._def.procedures as Record<string, DeclaredProcedure>);
}

/**
 * Reads the REST operations off the router.
 *
 * @throws Error, so that the service does not start, where a procedure declares no credential, or two share a route (which
 * trpc-openapi does not notice in production)
 */
export function readRoutes(router: AnyRouter): Map<string, Map<string, Route>> {
  const routes = new Map<string, Map<string, Route>>();
  for (const [name, procedure] of procedures(router)) {
    const meta = procedure._def.meta;
    if (!meta?.credential)
      throw new Error(`Procedure ${name} declares no credential: say who may call it in its meta.`);
    if ((meta.credential === 'session') !== (meta.may !== undefined))
      throw new Error(
        `Procedure ${name}: what people in a session may call, and nothing else, declares a permission.`,
      );
    if (!meta.openapi) continue;
    if (meta.credential === 'session')
      throw new Error(
        `Procedure ${name}: an operation of the API takes a key or a bearer token, not a session.`,
      );
    const { method, path, operationId, summary, description } = meta.openapi;
    if ((method !== 'GET' && method !== 'POST') || !operationId || !summary || !description) {
      throw new Error(
        `Procedure ${name}: an operation is GET or POST and has an operationId, a summary and a description.`,
      );
    }
    const methods = routes.get(path) ?? new Map<string, Route>();
    if (methods.has(method))
      throw new Error(`Procedure ${name}: ${method} ${path} is another procedure's already.`);
    const input = procedure._def.inputs?.[0] as z.ZodType | undefined;
    const examples = input?.meta()?.examples as unknown[] | undefined;
    methods.set(method, {
      method,
      path,
      operationId,
      credential: meta.credential,
      body: meta.body ?? 'json',
      bodyLimit: meta.bodyLimit ?? 'common',
      etag: meta.etag ?? false,
      idempotent: meta.idempotent ?? false,
      plainText: meta.plainText ?? false,
      upstream: meta.upstream ?? false,
      summary,
      description,
      input,
      output: procedure._def.output as z.ZodType,
      examples,
    });
    routes.set(path, methods);
  }
  return routes;
}

/** The operations that a key may call, by name: what scopes may name. */
export function keyOperations(router: AnyRouter): KeyOperation[] {
  return [...readRoutes(router).values()]
    .flatMap((methods) => [...methods.values()])
    .filter(({ credential }) => credential === 'key')
    .map(({ operationId: name, summary }) => ({ name, summary }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface SchemaDefinition {
  type?: string;
  coerce?: boolean;
  shape?: Record<string, unknown>;
  innerType?: unknown;
  element?: unknown;
  in?: unknown;
  out?: unknown;
}

function definition(schema: unknown): SchemaDefinition | undefined {
  return (schema as { _zod?: { def?: SchemaDefinition } } | undefined)?._zod?.def;
}

/**
 * trpc-openapi sets `coerce` on the schemas of an operation at every request, and so on every later native call: `null` and
 * `""` would become 0, `"false"` true. Here that setting is made to hold nothing, for good.
 */
export function forbidCoercion(router: AnyRouter): void {
  const seen = new Set<unknown>();
  const visit = (schema: unknown): void => {
    const def = definition(schema);
    if (!def || seen.has(def)) return;
    seen.add(def);
    if (/^(number|boolean|bigint|date)$/.test(def.type ?? '') && def.coerce !== true) {
      Object.defineProperty(def, 'coerce', {
        get: () => undefined,
        set: () => undefined,
        configurable: true,
      });
    }
    for (const inner of [def.innerType, def.element, def.in, def.out]) visit(inner);
    for (const inner of Object.values(def.shape ?? {})) visit(inner);
  };
  for (const [, procedure] of procedures(router))
    for (const input of procedure._def.inputs ?? []) visit(input);
}

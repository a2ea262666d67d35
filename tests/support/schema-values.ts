import fc from 'fast-check';

/** The part of JSON Schema 2020-12 that our OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
  examples?: unknown[];
}

/** Resolves a reference such as `#/components/schemas/Error`. */
export type ResolveReference = (ref: string) => Schema;

/** Strings that have caused bugs with PostgreSQL, JSON, JavaScript objects and spreadsheets. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '__proto__',
  'constructor',
  "'; DROP TABLE orders; --",
  '=1+1',
  'NaN',
  '1e309',
  '-0',
  '９',
  '9'.repeat(400),
  '2026-02-30',
  '\u202e你好👩‍👩‍👧',
];

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
);

/** Any JSON, often of the kind that a careless client sends. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    1e300,
    2 ** 53,
    -(2 ** 63),
    '',
    '5',
    '5.5',
    [],
    {},
  ),
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
);

function stringOf(schema: Schema): fc.Arbitrary<unknown> {
  const dateRange = { min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true };
  if (schema.format === 'date') return fc.date(dateRange).map((date) => date.toISOString().slice(0, 10));
  if (schema.format === 'date-time') return fc.date(dateRange).map((date) => date.toISOString());
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  const { minLength = 0, maxLength = 60 } = schema;
  return anyText.filter((value) => value.length >= minLength && value.length <= maxLength);
}

function numberOf({ type, minimum, maximum }: Schema): fc.Arbitrary<unknown> {
  const min = minimum ?? -1e12;
  const max = maximum ?? 1e12;
  if (type === 'integer') {
    return fc.oneof(
      fc.integer({ min: Math.max(min, -1000), max: Math.min(max, 1000) }),
      fc.maxSafeInteger().filter((value) => value >= min && value <= max),
      fc.constantFrom(min, max),
    );
  }
  return fc.oneof(fc.double({ min, max, noNaN: true }), fc.integer({ min: 0, max: Math.min(max, 100) }));
}

function objectOf(schema: Schema, resolve: ResolveReference): fc.Arbitrary<unknown> {
  const properties = schema.properties ?? {};
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, arbitraryFromSchema(member, resolve)]),
  );
  const declaredMembers = fc.record(members, { requiredKeys: schema.required ?? [] });
  const { additionalProperties } = schema;
  if (additionalProperties === false) return declaredMembers;
  const extraValue =
    typeof additionalProperties === 'object' && additionalProperties.type !== undefined
      ? arbitraryFromSchema(additionalProperties, resolve)
      : fc.jsonValue({ maxDepth: 2 });
  const extraMembers = fc.dictionary(anyText, extraValue, { maxKeys: 3 });
  return fc
    .tuple(fc.option(extraMembers, { freq: 3, nil: {} }), declaredMembers)
    .map(([extra, value]) => ({ ...extra, ...value }));
}

function arbitraryByType(schema: Schema, resolve: ResolveReference): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const minLength = schema.minItems ?? 0;
      const maxLength = Math.min(schema.maxItems ?? 4, Math.max(4, minLength));
      return fc.array(schema.items ? arbitraryFromSchema(schema.items, resolve) : anyJson, {
        minLength,
        maxLength,
      });
    }
    case 'object':
      return objectOf(schema, resolve);
    default:
      return anyJson;
  }
}

/**
 * Generates values that a schema of our OpenAPI document allows, often its examples, so that requests get past rules that no
 * schema can express.
 */
export function arbitraryFromSchema(schema: Schema, resolve: ResolveReference): fc.Arbitrary<unknown> {
  if (schema.$ref) return arbitraryFromSchema(resolve(schema.$ref), resolve);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const generatedValue = schema.anyOf
    ? fc.oneof(...schema.anyOf.map((option) => arbitraryFromSchema(option, resolve)))
    : arbitraryByType(schema, resolve);
  if (!schema.examples?.length) return generatedValue;
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...schema.examples) }, generatedValue);
}

/** Returns the path of every member of a value at any depth, and [] for the value itself. */
export function pathsOf(value: unknown, parentPath: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [parentPath];
  return [
    parentPath,
    ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...parentPath, name])),
  ];
}

/**
 * Returns the value with the member at a path replaced. JSON leaves out an undefined replacement in an object, and writes null for
 * one in an array.
 */
export function replaceAt(value: unknown, [name, ...rest]: string[], replacement: unknown): unknown {
  if (name === undefined) return replacement;
  const newMember = replaceAt((value as Record<string, unknown>)[name], rest, replacement);
  if (Array.isArray(value)) return value.map((member, n) => (String(n) === name ? newMember : member));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [key, key === name ? newMember : member]),
  );
}

/** Generates values with at most one fault: a wrong value, a missing member, or an extra one. */
export function mutatedArbitraryFrom(validValues: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(validValues, fc.nat(), fc.option(anyJson, { nil: undefined }), anyText)
    .map(([value, n, replacement, extraName]) => {
      const paths = pathsOf(value);
      const path = paths[n % paths.length]!;
      if (n % 7 === 0 && typeof value === 'object') return { ...value, [extraName]: replacement ?? null };
      return replaceAt(value, path, replacement);
    });
}

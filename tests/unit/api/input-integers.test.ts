import { expect, it } from 'vitest';
import { z } from 'zod';
import { INPUT_SCHEMAS } from '../../support/invalid-inputs';

/** The largest value of PostgreSQL's type `integer`. */
const MAX_INTEGER = 2_147_483_647;

/** Matches members that are stored as `bigint` or as text, or that are compared only after a check of their size. */
const LARGER_MEMBER_PATTERN =
  /^(?:orders[.]import\b.*[.](?:account_id|receipt_id)|statistics[.]upsert(?:Shop|Product)[.]\w+|statistics[.]\w+[.]listing_ids?|tracking[.]text[.]order_id)$/;

/** Returns the paths of the integers of a JSON schema that accept more than PostgreSQL's type `integer`. */
function findLargeIntegers(schema: unknown, path: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((element) => findLargeIntegers(element, path));
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maximum, properties = {}, ...otherMembers } = schema as Record<string, unknown>;
  const isLarge = type === 'integer' && !(Number(maximum) <= MAX_INTEGER);
  return [
    ...(isLarge ? [path] : []),
    ...Object.entries(properties as object).flatMap(([name, property]) =>
      findLargeIntegers(property, `${path}.${name}`),
    ),
    ...Object.values(otherMembers).flatMap((part) => findLargeIntegers(part, path)),
  ];
}

it('every integer of an input fits the column that it is compared with or stored in', () => {
  const largePaths = INPUT_SCHEMAS.flatMap(([name, input]) =>
    findLargeIntegers(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), name),
  );
  expect(largePaths.filter((path) => !LARGER_MEMBER_PATTERN.test(path))).toEqual([]);
});

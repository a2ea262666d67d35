import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATION_NAMES } from '../../../../src/components/keys/operation-names';

interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; security: Record<string, unknown>[] }>>;
}

it('every operation that accepts an API key has a name, and no other operation has one', () => {
  const document: ApiDocument = JSON.parse(readFileSync('docs/api-snapshot/openapi.json', 'utf8'));
  const operationIds = Object.values(document.paths)
    .flatMap((path) => Object.values(path))
    .filter(({ security }) => security.some((credential) => 'ApiKey' in credential))
    .map(({ operationId }) => operationId);
  expect(operationIds.length).toBeGreaterThan(10);
  expect(
    Object.keys(OPERATION_NAMES).sort(),
    'Add the operation to OPERATION_NAMES in src/components/keys/operation-names.ts',
  ).toEqual(operationIds.sort());
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from '../../../../src/server/api/router';
import { hasPermission, ROLES } from '../../../../src/server/identity/roles';
import type { Role } from '../../../../src/server/identity/schema';
import type { Meta } from '../../../../src/server/trpc/init';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

interface DeclaredProcedure {
  name: string;
  meta: Meta;
  type: string;
}

const procedures: DeclaredProcedure[] = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { meta?: Meta; type: string } }>,
).map(([name, { _def }]) => ({ name, meta: _def.meta!, type: _def.type }));
const userProcedures = procedures.filter(({ meta }) => meta.credential === 'session');
const otherProcedures = procedures.filter(({ meta }) => meta.credential !== 'session');

let service: TestService;
const userByRole = new Map<Role, SignedInUser>();

beforeAll(async () => {
  service = await startTestService();
  for (const role of ROLES) userByRole.set(role, await createSignedInUser(service, role));
});
afterAll(() => service.close());

/**
 * Queries and subscriptions. They change nothing, so they are called without input, even those that require one. Mutations get an
 * input that no input schema accepts, so that they change nothing either; the few without an input schema ignore it and run.
 */
const PROCEDURES_CALLED_WITHOUT_INPUT = new Set(
  userProcedures.filter(({ type }) => type !== 'mutation').map(({ name }) => name),
);

it('every procedure declares a credential, and every procedure for users also a permission', () => {
  expect(userProcedures.length).toBeGreaterThan(10);
  for (const { name, meta } of procedures) {
    expect(['key', 'bearer', 'session'], name).toContain(meta.credential);
    expect(meta.permission !== undefined, name).toBe(meta.credential === 'session');
  }
});

describe.each(ROLES)('a user with the role %s', (role) => {
  it.each(userProcedures.map(({ name, meta }) => [name, meta] as const))(
    'may call %s only with the permission that it requires',
    async (name, meta) => {
      const user = userByRole.get(role)!;
      const input = PROCEDURES_CALLED_WITHOUT_INPUT.has(name) ? undefined : { no_such_member: true };
      const { status, error } = await user.call(name, input);
      if (hasPermission(role, meta.permission!)) expect(status, error?.message).not.toBe(403);
      else expect([status, error?.code]).toEqual([403, 'forbidden']);
      expect(status).not.toBe(401);
      expect(status, error?.message).toBeLessThan(500);
    },
  );
});

it('procedures for users refuse calls without a session, whether without credentials, with a key, or with a bearer token', async () => {
  const token = userByRole.get('owner')!.cookie.split('=')[1]!;
  const credentials: Record<string, string>[] = [
    {},
    { 'X-Api-Key': service.key },
    { Authorization: `Bearer ${token}` },
  ];
  for (const { name, type } of userProcedures) {
    for (const headers of credentials) {
      const response = await fetch(`${service.url}/api/trpc/${name}`, {
        method: type === 'mutation' ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: type === 'mutation' ? '{}' : undefined,
      });
      // A subscription has already started its response, so it reports the error in its first event.
      const eventStatus = /"httpStatus":(\d+)/.exec(
        type === 'subscription' ? await response.text() : '',
      )?.[1];
      expect(Number(eventStatus ?? response.status), `${name} with ${Object.keys(headers)}`).toBe(401);
    }
  }
});

it('the operations of the API do not accept a session', async () => {
  for (const { name } of otherProcedures) {
    const { status } = await userByRole.get('owner')!.call(name);
    expect(status, name).toBe(401);
  }
});

it('the attempt of a viewer to become or add an owner is refused and changes nothing', async () => {
  const viewer = userByRole.get('viewer')!;
  const usersBefore = await service.database.query('SELECT id, role, name FROM users ORDER BY id');
  expect((await viewer.call('people.update', { id: viewer.userId, role: 'owner' })).status).toBe(403);
  expect((await viewer.call('people.create', { email: 'x@example.com', role: 'owner' })).status).toBe(403);
  expect(await service.database.query('SELECT id, role, name FROM users ORDER BY id')).toEqual(usersBefore);
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config';
import { configSchema } from '../../../src/server/config/config-schema';
import { problemsOf } from '../../support/config-problems';

const SECRET = 's'.repeat(32);

describe('the configuration', () => {
  it('needs no variables at all, and by default has the limits in docs/api-conventions.md', () => {
    expect(loadConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      APP_URL: 'http://localhost:3000',
      ADMIN_PREFIX: '/admin',
      ADMIN_EMAIL: 'owner@localhost',
      MAX_BODY_BYTES: 1024 ** 2,
      IMPORT_MAX_BODY_BYTES: 64 * 1024 ** 2,
      IMPORT_MAX_ROWS: 50_000,
      CORS_ORIGINS: [],
      isProduction: true,
    });
  });

  it('treats an empty variable as unset', () => {
    const names = Object.keys(configSchema.shape);
    expect(loadConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(loadConfig({}));
  });

  it('ignores variables of other programs', () => {
    expect(loadConfig({ PATH: '/bin', __proto__x: '1' })).toEqual(loadConfig({}));
  });

  it('is refused with a line for each invalid variable, which says what it must be', () => {
    const lines = problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'postgresql://localhost/x' });
    expect(lines.map((line) => line.split(':')[0])).toEqual(['PORT', 'LOG_LEVEL', 'NEXTAUTH_SECRET']);
    expect(lines[0]).toBe('PORT: must be a whole number from 0 to 65535');
  });

  it('is refused without repeating a value, which may be a secret', () => {
    const lines = problemsOf({
      ADMIN_PASSWORD: 'hunter2',
      NEXTAUTH_SECRET: 'hunter2',
      DATABASE_URL: 'hunter2',
    });
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('hunter2');
  });

  it('marks every variable that holds a secret', () => {
    const isSecret = (name: string) =>
      configSchema.shape[name as keyof typeof configSchema.shape].meta()?.secret;
    const secretNames = Object.keys(configSchema.shape).filter((name) =>
      // TOKENS, in the plural, are those that a text provider counts, not secrets.
      /SECRET|PASSWORD|TOKEN(?!S(?:_|$))|_KEY$|DATABASE_URL/.test(name),
    );
    expect(secretNames.length).toBeGreaterThanOrEqual(3);
    for (const name of secretNames) expect(isSecret(name), name).toBe(true);
  });

  it('has no unused variables', () => {
    const folder = path.resolve('src', 'server');
    // These files only declare, check or show the variables.
    const isOther = (file: string) =>
      file.startsWith(path.join('config', '/')) || file === path.join('runtime', 'deployment.ts');
    const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !isOther(file))
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      .join('\n');
    const unusedNames = Object.keys(configSchema.shape).filter(
      (name) => !new RegExp(`\\b${name}\\b`).test(source),
    );
    expect(unusedNames, 'Pass each on to the code that uses it (docs/recipes.md, "Add a setting")').toEqual(
      [],
    );
  });

  it('describes every variable', () => {
    for (const [name, field] of Object.entries(configSchema.shape)) {
      expect(field.meta()?.description, name).toMatch(/\.$/);
    }
  });
});

describe('a number in the configuration', () => {
  it.each(['-1', '65536', '1.5', '1e3', '0x10', ' 80', 'abc', '99999999999999999999'])(
    'is refused as PORT=%s',
    (value) => {
      expect(problemsOf({ PORT: value })).toEqual(['PORT: must be a whole number from 0 to 65535']);
    },
  );

  it('may be at either end of its range, but not beyond', () => {
    expect(loadConfig({ PORT: '0' }).PORT).toBe(0);
    expect(loadConfig({ PORT: '65535' }).PORT).toBe(65_535);
    expect(problemsOf({ IMPORT_MAX_ROWS: '0' })).toHaveLength(1);
    expect(problemsOf({ MAX_BODY_BYTES: '1023' })).toHaveLength(1);
  });
});

it('the owner has an e-mail address in lower case and a password of at least 12 characters', () => {
  expect(loadConfig({ ADMIN_EMAIL: 'Owner@Shop.Example' }).ADMIN_EMAIL).toBe('owner@shop.example');
  expect(problemsOf({ ADMIN_EMAIL: 'owner' })).toEqual(['ADMIN_EMAIL: must be an e-mail address']);
  expect(problemsOf({ ADMIN_PASSWORD: 'elevenchars' })).toHaveLength(1);
  expect(loadConfig({ ADMIN_PASSWORD: 'twelve chars' }).ADMIN_PASSWORD).toBe('twelve chars');
});

it('NEXTAUTH_SECRET has at least 32 characters', () => {
  expect(loadConfig({ NEXTAUTH_SECRET: SECRET }).NEXTAUTH_SECRET).toBe(SECRET);
  expect(problemsOf({ NEXTAUTH_SECRET: SECRET.slice(1) })).toEqual([
    'NEXTAUTH_SECRET: must have at least 32 characters',
  ]);
});

it('the mail server needs both an SMTP URL and a sender, or neither', () => {
  const settings = {
    SMTP_URL: 'smtps://desk:secret@mail.example',
    SMTP_FROM: 'Brickdesk <desk@shop.example>',
  };
  expect(loadConfig(settings)).toMatchObject(settings);
  expect(problemsOf({ SMTP_URL: settings.SMTP_URL })).toEqual([
    'SMTP_FROM: is required: set both SMTP_URL and SMTP_FROM, or neither.',
  ]);
  expect(problemsOf({ SMTP_FROM: settings.SMTP_FROM })).toHaveLength(1);
  for (const SMTP_URL of ['mail.example:587', 'https://mail.example', 'smtp://'])
    expect(problemsOf({ ...settings, SMTP_URL }), SMTP_URL).toHaveLength(1);
  for (const SMTP_FROM of ['desk', 'Brickdesk desk@shop.example', 'a@b\r\nBcc: c@d'])
    expect(problemsOf({ ...settings, SMTP_FROM }), SMTP_FROM).toHaveLength(1);
  // The error must not reveal the password.
  expect(problemsOf({ ...settings, SMTP_URL: 'smpt://desk:secret@mail.example' })[0]).not.toContain(
    'secret@',
  );
});

it('only NODE_ENV=development turns production mode off', () => {
  expect(loadConfig({ NODE_ENV: 'development' }).isProduction).toBe(false);
  for (const NODE_ENV of ['production', 'test', 'dev', ''])
    expect(loadConfig({ NODE_ENV }).isProduction, NODE_ENV).toBe(true);
});

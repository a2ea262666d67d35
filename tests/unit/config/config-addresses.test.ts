import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/server/config/config';
import { FIXED_PATHS } from '../../../src/server/core/http/fixed-paths';
import {
  DOWNLOADS_PREFIX,
  SIGN_IN_PREFIX,
  TRPC_PREFIX,
  UPLOADS_PREFIX,
} from '../../../src/server/http/paths';
import { INTERACTION_PREFIX, ROUTES } from '../../../src/server/oauth/configuration';
import { problemsOf } from '../../support/config-problems';

const SECRET = 's'.repeat(32);

describe('the URL', () => {
  it('of the deployment is http or https, without its trailing slash', () => {
    expect(loadConfig({ APP_URL: 'https://erp.example/' }).APP_URL).toBe('https://erp.example');
    for (const value of ['erp.example', 'ftp://erp.example', 'javascript:alert(1)']) {
      expect(problemsOf({ APP_URL: value })).toEqual(['APP_URL: must be an http(s) URL']);
    }
  });

  it('of the deployment is stored as browsers write it, so that all that depends on https sees it', () => {
    for (const [value, url] of [
      ['HTTPS://Shop.Example', 'https://shop.example'],
      ['https:\\\\shop.example', 'https://shop.example'],
      ['https://shop.example:443//', 'https://shop.example'],
      ['http://shop.example:80/Desk/', 'http://shop.example/Desk'],
      ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ] as const)
      expect(loadConfig({ APP_URL: value }).APP_URL, value).toBe(url);
  });

  it('of the deployment is refused with spaces, credentials, a query or a fragment, without repeating it', () => {
    for (const [value, problem] of [
      [' https://shop.example', 'must not contain spaces or line breaks'],
      ['https://shop.example\n', 'must not contain spaces or line breaks'],
      ['https://sh\top.example', 'must not contain spaces or line breaks'],
      ['https://user:pw@shop.example', 'must not contain a user name or password'],
      ['https://user@shop.example', 'must not contain a user name or password'],
      ['https://shop.example/?a=1', 'must end before any ? or #, because paths are appended to it'],
      ['https://shop.example?', 'must end before any ? or #, because paths are appended to it'],
      ['https://shop.example/#a', 'must end before any ? or #, because paths are appended to it'],
    ] as const)
      expect(problemsOf({ APP_URL: value }), value).toEqual([`APP_URL: ${problem}`]);
  });

  it('of the deployment has the configured port unless the URL itself is set', () => {
    expect(loadConfig({ PORT: '8080' }).APP_URL).toBe('http://localhost:8080');
    expect(loadConfig({ PORT: '8080', APP_URL: 'https://erp.example' }).APP_URL).toBe('https://erp.example');
  });

  it('of the database is postgres or postgresql, and requires a secret', () => {
    for (const scheme of ['postgres', 'postgresql']) {
      const DATABASE_URL = `${scheme}://user:pass@db.example/brickdesk`;
      expect(loadConfig({ DATABASE_URL, NEXTAUTH_SECRET: SECRET }).DATABASE_URL).toBe(DATABASE_URL);
      expect(problemsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^NEXTAUTH_SECRET: is required/)]);
    }
    expect(problemsOf({ DATABASE_URL: 'mysql://db.example/x', NEXTAUTH_SECRET: SECRET })).toHaveLength(1);
  });
});

it('the admin prefix is one path segment that nothing else uses', () => {
  expect(loadConfig({ ADMIN_PREFIX: '/back-office' }).ADMIN_PREFIX).toBe('/back-office');
  for (const value of [
    'admin',
    '/',
    '/a/b',
    '/Admin',
    '/admin/',
    '/api',
    '/docs',
    '/oauth',
    '/mcp',
    '/healthz',
    '/readyz',
    '/unsubscribe',
  ]) {
    expect(problemsOf({ ADMIN_PREFIX: value }), value).not.toEqual([]);
  }
});

it('the admin prefix is no path at which a page or the server itself responds', () => {
  // A folder in parentheses groups pages without being part of their path; one in brackets is a parameter, such as the prefix itself.
  const pagePaths = readdirSync('src/app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)page\.tsx$/.test(file))
    .map((file) => path.dirname(file).replace(/\([^)]*\)\/?/g, ''))
    .filter((page) => page !== '' && page !== '.' && !page.startsWith('['));
  const serverPaths = [
    DOWNLOADS_PREFIX,
    INTERACTION_PREFIX,
    SIGN_IN_PREFIX,
    TRPC_PREFIX,
    UPLOADS_PREFIX,
    ...Object.values(ROUTES),
    ...Object.values(FIXED_PATHS),
  ].map((serverPath) => serverPath.slice(1));
  expect(pagePaths).toContain('docs/api');
  for (const fixedPath of [...pagePaths, ...serverPaths]) {
    const ADMIN_PREFIX = `/${fixedPath.split('/', 1)[0]}`;
    expect(problemsOf({ ADMIN_PREFIX }), ADMIN_PREFIX).toEqual([
      "ADMIN_PREFIX: must be none of the service's own paths: /api, /docs, /healthz, /mcp, /oauth, /readyz, /unsubscribe",
    ]);
  }
});

it('the metrics have another port than the service, unless each listens on an address of its own', () => {
  const SAME_PORT = { PORT: '4000', METRICS_PORT: '4000' };
  for (const hosts of [
    {},
    { HOST: 'localhost' },
    { HOST: '0.0.0.0' },
    { METRICS_HOST: '0.0.0.0' },
    { HOST: '::', METRICS_HOST: '10.0.0.1' },
    { HOST: '10.0.0.1', METRICS_HOST: '10.0.0.1' },
  ] as Record<string, string>[])
    expect(problemsOf({ ...SAME_PORT, ...hosts }), JSON.stringify(hosts)).toEqual([
      'METRICS_PORT: must differ from PORT, on which the service itself listens.',
    ]);
  expect(problemsOf({ ...SAME_PORT, METRICS_HOST: '10.0.0.1' })).toEqual([]);
  expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
  expect(problemsOf({ PORT: '4000', METRICS_PORT: '4001' })).toEqual([]);
});

it('the CORS origins are separated by commas and have no path', () => {
  expect(loadConfig({ CORS_ORIGINS: 'https://a.example, http://localhost:5173,' }).CORS_ORIGINS).toEqual([
    'https://a.example',
    'http://localhost:5173',
  ]);
  for (const value of ['*', 'https://a.example/', 'a.example', 'https://a.example,null']) {
    expect(problemsOf({ CORS_ORIGINS: value }), value).toHaveLength(1);
  }
});

it('the CORS origins are stored as browsers send them', () => {
  const CORS_ORIGINS =
    'https://Shop.example,HTTPS://a.example:443,http://b.example:80,https://c.example:8443';
  expect(loadConfig({ CORS_ORIGINS }).CORS_ORIGINS).toEqual([
    'https://shop.example',
    'https://a.example',
    'http://b.example',
    'https://c.example:8443',
  ]);
});

it('a CORS origin that no browser sends is refused with what to write instead', () => {
  const instruction =
    'CORS_ORIGINS: must be origins such as https://shop.example: scheme, host and, if it is not the default, port';
  for (const value of [
    'https://u@x.example?y',
    'https://u:pw@x.example',
    'https://x.example?y',
    'https://x.example#y',
    'https://x.example\\y',
    'https:x.example',
    'https://x.example:99999',
    'https://x .example',
    'file:///x',
  ])
    expect(problemsOf({ CORS_ORIGINS: value }), value).toEqual([instruction]);
  for (const value of ['*', 'https://*.example', 'https://a.example,https://*'])
    expect(problemsOf({ CORS_ORIGINS: value }), value).toEqual([
      'CORS_ORIGINS: must name each origin in full, such as https://a.shop.example: a * matches nothing',
    ]);
});

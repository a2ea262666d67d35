import { expect, it } from 'vitest';
import { findServerProblem } from '../../../src/server/db/external-database';

it.each(['15.0', '15.14 (Debian 15.14-1.pgdg12+1)', '18.1', '19devel'])(
  'PostgreSQL %s is supported',
  (version) => {
    expect(findServerProblem({ encoding: 'UTF8', version })).toBeNull();
  },
);

it.each(['14.20', '9.6.24', '10.23 (Ubuntu 10.23-0ubuntu0.18.04.2)'])(
  'PostgreSQL %s is refused',
  (version) => {
    expect(findServerProblem({ encoding: 'UTF8', version })).toBe(
      `the database is in PostgreSQL ${version}; use PostgreSQL 15 or later.`,
    );
  },
);

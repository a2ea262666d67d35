const server = '^src/server/';
const domains = '(catalog|orders|tracking|messages|statistics|debug|identity|docs|overview|settings)';
const schema = `${server}${domains}/[a-z-]*schema[.]ts$`;
const service = `${server}${domains}/[a-z-]*service[.]ts$`;
const router = `${server}${domains}/[a-z-]*router[.]ts$`;
const documented = `${server}(orders/column-map|orders/order-filter-bounds|statistics/fields|tracking/status|identity/roles|docs/changelog)[.]ts$`;

/** Who may import whom: the table of the README's "How the code is laid out". */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '/dist/' },
    },
    {
      name: 'no-dev-packages-in-product',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types' },
    },
    {
      name: 'core-knows-no-domain',
      comment: 'core/ is for errors, time, money, text: it knows no domain, transport, database or page.',
      severity: 'error',
      from: { path: `${server}core/` },
      to: { path: ['^src/(?!server/core/)', 'node_modules/(@prisma|next|@trpc)'] },
    },
    {
      name: 'schemas-are-plain',
      comment:
        'A schema describes fields: it needs zod, core/ and concepts of its own folder, never the database or env.',
      severity: 'error',
      from: { path: schema },
      to: {
        path: [
          '^src/(generated|app|components)',
          `${server}(db|http|trpc|config|app|open-services|main)`,
          'node_modules/(@prisma|pg)/',
          service,
        ],
      },
    },
    {
      name: 'services-know-no-transport',
      severity: 'error',
      from: { path: service },
      to: {
        path: [
          '^src/(app|components)',
          `${server}(http|trpc|config|app|open-services|main)`,
          'node_modules/(next|@trpc)/',
        ],
      },
    },
    {
      name: 'concepts-are-pure',
      comment:
        'Files named after a concept know no database, transport, env or page; SQL text, storage and threads have their own files.',
      severity: 'error',
      from: {
        path: `${server}${domains}/`,
        pathNot: [
          service,
          router,
          'history[.]ts$',
          'export[.]ts$',
          'audit[.]ts$',
          'import-(reader|worker)[.]ts$',
        ],
      },
      to: {
        path: [
          '^src/(generated|app|components)',
          `${server}(db|http|trpc|config|app|open-services|main)`,
          'node_modules/(@prisma|pg|next|@trpc)/',
        ],
      },
    },
    {
      name: 'domains-along',
      comment:
        'tracking uses orders, messages uses orders and tracking, orders uses catalog; all may write the audit log.',
      severity: 'error',
      from: { path: `${server}(catalog|statistics|debug|identity)/` },
      to: { path: `${server}${domains}/`, pathNot: [`${server}$1/`, `${server}identity/audit[.]ts$`] },
    },
    {
      name: 'orders-along',
      severity: 'error',
      from: { path: `${server}orders/` },
      to: { path: `${server}(tracking|messages|statistics|debug|docs)/` },
    },
    {
      name: 'jobs-call-services',
      comment:
        'jobs/ says what is done by itself and how often; the work is the services of the domains. Nobody but the app starts it.',
      severity: 'error',
      from: { path: `${server}jobs/` },
      to: {
        path: [
          '^src/(generated|app|components)',
          `${server}(http|trpc|config|app|open-services|main)`,
          'node_modules/(next|@trpc)/',
        ],
      },
    },
    {
      name: 'the-app-starts-jobs',
      severity: 'error',
      from: { path: '^src/', pathNot: [`${server}jobs/`, `${server}app[.]ts$`] },
      to: { path: [`${server}jobs/`, 'node_modules/pg-boss/'] },
    },
    {
      name: 'routers-are-thin',
      comment: 'A router declares procedures: own schema, own service, trpc/.',
      severity: 'error',
      from: { path: router },
      to: {
        path: [
          '^src/(generated|app|components)',
          `${server}(db|http|config|app|open-services|main)`,
          'node_modules/(@prisma|pg|next)/',
        ],
      },
    },
    {
      name: 'http-asks-no-database',
      severity: 'error',
      from: { path: `${server}http/` },
      to: {
        path: [
          '^src/(generated|app|components)',
          `${server}(config|app|open-services|main)`,
          'node_modules/(@prisma|pg|next)/',
        ],
      },
    },
    {
      name: 'oauth-is-a-transport',
      comment: 'oauth/ asks the services of identity/; the database itself is known to its adapter alone.',
      severity: 'error',
      from: { path: `${server}oauth/` },
      to: {
        path: [
          '^src/(generated|app|components)',
          `${server}(config|app|open-services|main)`,
          `${server}(catalog|orders|tracking|messages|statistics|debug|docs)/`,
          'node_modules/(@prisma|pg|next)/',
        ],
      },
    },
    {
      name: 'oauth-adapter-alone-has-a-database',
      severity: 'error',
      from: { path: `${server}oauth/`, pathNot: 'adapter[.]ts$' },
      to: { path: `${server}db/` },
    },
    {
      name: 'oauth-stands-by-itself',
      comment: 'Nothing but the start needs oauth/, and oidc-provider is known to it alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: [`${server}oauth/`, `${server}app[.]ts$`] },
      to: { path: [`${server}oauth/`, 'node_modules/(@types/)?oidc-provider/'] },
    },
    {
      name: 'components-see-types-and-schemas',
      comment:
        'And the pure tables and texts from which the guides are made, so that these cannot say otherwise.',
      severity: 'error',
      from: { path: '^src/components/' },
      to: { path: server, pathNot: [schema, documented], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-place-components',
      severity: 'error',
      from: { path: '^src/app/' },
      to: {
        path: [server, '^src/generated', 'node_modules/(@prisma|pg)/'],
        pathNot: [documented],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^src/generated/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};

const server = '^src/server/';
/** The folders of the domains. */
const domains =
  '(audit|catalog|countries|debug-records|identity|inbound|messages|notifications|orders|overview|queues|settings|shop-data|shops|statistics|tracking|views)';
const inDomain = `${server}${domains}/[a-z/-]*`;
const schema = `${inDomain}schema[.]ts$`;
const service = `${inDomain}service[.]ts$`;
const router = `${inDomain}router[.]ts$`;
const wiring = `${server}(config|main|cli|runtime|commands)`;
const plainTables = `${server}(orders/column-map|orders/export/template-names|orders/shipping/bounds|orders/filter/bounds|orders/filter/order-tabs|queues/queue|statistics/fields|core/errors/error-codes|core/statuses|core/days|core/id-text|core/http/page-user-header|core/lists/page-size|core/spreadsheet/file-size|core/text/(?:csv-limit|fold|order-number|plain-text|scientific-notation)|messages/buyer-names|messages/sender|tracking/carriers/carrier-name|identity/roles|identity/keys/bounds|tracking/shipments/bounds|tracking/callbacks/(?:bounds|outcomes)|messages/replies/filters|orders/history/history-filters|api/changelog|core/errors/validation|notifications/kind)[.]ts$`;

/** The folders of src/server from the top down: each imports only from the layers below its own. */
const LAYERS = [
  ['main[.]ts', 'cli[.]ts'],
  ['commands/'],
  ['runtime/'],
  ['oauth/', 'mcp/'],
  ['http/'],
  ['api/'],
  // Only what starts the service reads the configuration; it passes on what the rest needs.
  ['config/'],
  // The list of records can show callbacks too, with the outcomes that tracking/callbacks/ defines.
  ['notifications/', 'shop-data/', 'debug-records/'],
  ['messages/'],
  ['tracking/'],
  ['orders/'],
  ['overview/'],
  ['queues/'],
  [
    'shops/',
    'countries/',
    'statistics/',
    'catalog/',
    'settings/',
    'views/',
    'identity/(?:keys|oauth|sessions|tokens|users)/',
    // The rest of audit/ is further down, because everything writes to the audit log.
    'audit/router[.]ts',
  ],
  ['trpc/'],
  // Procedures need the principals, roles and scopes. The rest of identity, such as users and keys, is a domain.
  ['identity/[^/]*[.]ts'],
  ['gateway/', 'audit/(?!router)', 'inbound/', 'backup/', 'jobs/'],
  ['db/'],
  ['core/'],
];

/** The folders of src/server/orders from the top down, by the same rule. All of them may import the files beside them. */
const ORDER_LAYERS = [
  ['reading/'],
  ['drafts/'],
  ['detail/', 'export/', 'shipping/', 'undo/'],
  ['list/'],
  ['import/'],
  ['history/'],
  ['tracking/'],
  ['indexing/'],
  ['filter/'],
  ['[^/]*[.]ts'],
];

const anyOf = (folders) => `${server}(?:${folders.join('|')})`;

/** The rules for the layers of a folder, whose path `parent` is relative to src/server. */
const rulesOfLayers = (layers, parent = '') =>
  layers.flatMap((layer, depth) =>
    // Nothing is above a single folder at the top.
    (depth === 0 && layer.length === 1 ? [] : layer).map((folder) => ({
      name: `layer-of-${parent.replace('/', '-')}${
        folder
          .replace(/[^a-z]/g, ' ')
          .trim()
          .split(' ')[0] || 'files'
      }`,
      comment: 'A folder imports from the layers below it, and from nothing above or beside it.',
      severity: 'error',
      from: { path: anyOf([parent + folder]) },
      to: {
        path: [...layers.slice(0, depth).flat(), ...layer.filter((other) => other !== folder)].map((other) =>
          anyOf([parent + other]),
        ),
      },
    })),
  );

/** Which folders may import which. The README's "Work on it" says what each folder is for. */
module.exports = {
  forbidden: [
    ...rulesOfLayers(LAYERS),
    ...rulesOfLayers(ORDER_LAYERS, 'orders/'),
    {
      name: 'every-server-file-has-a-layer',
      severity: 'error',
      from: { path: server, pathNot: anyOf(LAYERS.flat()) },
      to: {},
    },
    {
      name: 'no-cycles',
      comment:
        'Not even of types: a page and its parts take their types from RouterOutputs (components/api/router-types.ts), not from each other.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-elsewhere',
      severity: 'error',
      from: { pathNot: '^src/' },
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
      name: 'embedded-postgresql-has-one-door',
      comment:
        'Only index.ts of db/embedded/ is imported from outside. A test of one of its parts, in db/embedded/ of tests/unit or tests/integration, may import that part.',
      severity: 'error',
      from: { pathNot: [`${server}db/embedded/`, '^tests/(?:unit|integration)/db/embedded/'] },
      to: { path: `${server}db/embedded/`, pathNot: `${server}db/embedded/index[.]ts$` },
    },
    {
      name: 'embedded-postgresql-is-a-package',
      comment:
        'db/embedded/ knows nothing of the service, not even the rest of db/. Its own files import each other directly.',
      severity: 'error',
      from: { path: `${server}db/embedded/` },
      to: { path: ['^src/(?!server/(?:core|db/embedded)/)', `${server}db/embedded/index[.]ts$`] },
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
          `${server}(db|http|mcp|oauth|trpc|api)/`,
          wiring,
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
          `${server}(http|mcp|oauth|trpc|api)/`,
          wiring,
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
        pathNot: [service, router, '[.]queries[.]ts$'],
      },
      to: {
        path: [
          '^src/(generated|app|components)',
          `${server}(db|http|mcp|oauth|trpc|api)/`,
          wiring,
          'node_modules/(@prisma|pg|next|@trpc)/',
        ],
      },
    },
    {
      name: 'imports-know-no-page',
      comment:
        'The API, commands and the import page call the import. It knows neither the drafts of the page nor threads.',
      severity: 'error',
      from: { path: `${server}orders/import/` },
      to: { path: `${server}orders/(drafts|reading|undo)/` },
    },
    {
      name: 'only-the-runtime-starts-jobs',
      severity: 'error',
      from: { path: '^src/', pathNot: [`${server}jobs/`, `${server}runtime/`] },
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
          `${server}(db|http|mcp|oauth|api)/`,
          wiring,
          'node_modules/(@prisma|pg|next)/',
        ],
      },
    },
    {
      name: 'http-has-no-database',
      severity: 'error',
      from: { path: `${server}(http|mcp)/` },
      to: {
        path: ['^src/(generated|app|components)', wiring, 'node_modules/(@prisma|pg|next)/'],
      },
    },
    {
      name: 'oauth-is-a-transport',
      comment: 'oauth/ calls the services of identity/; only its adapter uses the database.',
      severity: 'error',
      from: { path: `${server}oauth/` },
      to: {
        path: [
          '^src/(generated|app|components)',
          wiring,
          `${server}(catalog|orders|tracking|messages|statistics|debug-records|shops|countries)/`,
          'node_modules/(@prisma|pg|next)/',
        ],
      },
    },
    {
      name: 'only-the-oauth-adapter-has-a-database',
      severity: 'error',
      from: { path: `${server}oauth/`, pathNot: 'adapter[.]ts$' },
      to: { path: `${server}db/` },
    },
    {
      name: 'oauth-is-isolated',
      comment: 'Only the start of the service imports oauth/, and only oauth/ imports oidc-provider.',
      severity: 'error',
      from: { path: '^src/', pathNot: [`${server}oauth/`, `${server}runtime/app[.]ts$`] },
      to: { path: [`${server}oauth/`, 'node_modules/(@types/)?oidc-provider/'] },
    },
    {
      name: 'traces-are-loaded-on-demand',
      comment:
        'Without traces the packages of OpenTelemetry are not loaded: the service imports them dynamically.',
      severity: 'error',
      from: { path: '^src/', pathNot: `${server}runtime/traces/(export|tracer)[.]ts$` },
      to: {
        path: [`${server}runtime/traces/(export|tracer)[.]ts$`, 'node_modules/@opentelemetry/'],
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'commands-load-no-procedures',
      comment:
        'Most commands need only the database, and start in half the time without the procedures and what they import. A command that needs more imports it dynamically.',
      severity: 'error',
      from: { path: `${server}(cli[.]ts|commands/)` },
      to: {
        path: [`${server}(trpc|api|http|mcp|oauth)/`, `${server}runtime/(app|open-services|run)[.]ts$`],
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'components-see-types-and-schemas',
      comment:
        'They also see the plain tables from which the guides are made, so that the guides cannot contradict the code.',
      severity: 'error',
      from: { path: '^src/components/' },
      to: { path: server, pathNot: [schema, plainTables], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-see-types-and-plain-tables',
      severity: 'error',
      from: { path: '^src/app/' },
      to: {
        path: [server, '^src/generated', 'node_modules/(@prisma|pg)/'],
        pathNot: [plainTables],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  required: [
    {
      name: 'schemas-load-validation',
      severity: 'error',
      comment: 'Without validation.ts, the errors of a schema would have the words of the library.',
      module: { path: schema },
      to: { path: `${server}core/errors/validation[.]ts$`, reachable: true },
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

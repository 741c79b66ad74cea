// Which top-level folder may import which. Tests follow the rules of their folder unless a rule says otherwise.
const test = '(\\.(test|soak)\\.tsx?$|(^|/)testing/)';

/** Files of the folder may import only the folders listed (and packages). */
function layer(name, mayImport, why) {
  const allowed = [name, ...mayImport].join('|');
  return {
    name: `${name}-imports`,
    comment: why,
    severity: 'error',
    from: { path: `^${name}/`, pathNot: test },
    to: {
      path: '^(core|domain|platform|api|worker|tools|testing|web|sandbox|infra|e2e)/',
      // Fixtures start simulators; everything else is kept from them by a rule of its own.
      pathNot: [`^(${allowed})/`, '^sandbox/testing/'],
    },
  };
}

/** As `layer`, for the folders of the web app. */
function webLayer(name, mayImport, why) {
  const allowed = [name, ...mayImport].join('|');
  return {
    name: `web-${name}-imports`,
    comment: why,
    severity: 'error',
    from: { path: `^web/src/${name}/`, pathNot: test },
    to: { path: '^web/src/', pathNot: [`^web/src/(${allowed})/`] },
  };
}

/**
 * The folders of domain, from the lowest to the highest: each imports only those before it, so that no two import each other, nor several in a
 * circle. The files of domain itself put them together.
 */
const domainFolders = [
  // What everything is made of, and who has an account.
  ...['personal-data', 'audit', 'accounts'],
  // Messages as rows, clients of providers, what jobs work with.
  ...['emails', 'web-pushes', 'providers', 'rate-sources', 'jobs'],
  ...['sign-in', 'attachments', 'queue-pauses', 'rate-observations', 'rates', 'crypto'],
  // A transfer, its operations, and what is known of both.
  ...['provider-calls', 'transfers', 'webhooks', 'complaints', 'disputes', 'money-stops', 'desk', 'holds'],
  ...['transfer-views', 'review', 'recipients', 'identity'],
  // What moves money.
  ...['corrections', 'payouts', 'repeats', 'payments'],
  // What people and sweeps do about it.
  ...['reconciliation', 'bank-returns', 'dispute-evidence', 'desk-actions', 'complaint-handling', 'papers'],
  ...['own-account', 'account-oversight', 'monitoring', 'notifications', 'row-jobs'],
];

const domainRules = [
  ...domainFolders.map((folder, index) => ({
    name: `domain-${folder}-imports`,
    comment: 'Move the file to the folder of its use case, split it, or pass what it needs as a value or a function.',
    severity: 'error',
    from: { path: `^domain/${folder}/`, pathNot: test },
    to: { path: '^domain/', pathNot: `^domain/(${domainFolders.slice(0, index + 1).join('|')})/` },
  })),
  {
    name: 'domain-folders-have-a-place',
    comment: 'A new folder gets its place in the list.',
    severity: 'error',
    from: { path: '^domain/[^/]+/', pathNot: [test, `^domain/(${domainFolders.join('|')})/`] },
    to: {},
  },
];

export default {
  forbidden: [
    layer('core', [], 'The rules of the business are pure: they import nothing of ours.'),
    layer('domain', ['platform', 'core'], 'The business of the server; HTTP and queues are its callers.'),
    layer('platform', ['core'], 'Technique that api and worker share imports neither of them.'),
    layer(
      'api',
      ['domain', 'platform', 'core'],
      'api and worker communicate through the database and the queues only.',
    ),
    layer(
      'worker',
      ['domain', 'platform', 'core'],
      'api and worker communicate through the database and the queues only.',
    ),
    layer('tools', ['worker', 'domain', 'platform', 'core'], 'Commands for operators call what the servers call.'),
    layer('web', ['core'], 'The browser imports the contracts and reaches the rest over HTTP.'),
    layer('sandbox', ['core'], 'The simulated services know the product over HTTP only, as real ones do.'),
    layer(
      'infra',
      ['platform/configuration'],
      'It runs the product as processes; of its code it imports the rules of the configuration only.',
    ),
    ...domainRules,
    {
      name: 'configuration-before-compiling',
      comment: 'infra reads it before anything is compiled, when #core and #platform do not exist yet.',
      severity: 'error',
      from: { path: '^platform/configuration/', pathNot: test },
      to: { dependencyTypes: ['aliased-subpath-import'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'core-packages',
      comment: 'core runs in the browser and on the server: zod and the phone rules, no Node.',
      severity: 'error',
      from: { path: '^core/', pathNot: test },
      to: { path: '.', pathNot: '^(core/|node_modules/zod/)' },
    },
    {
      name: 'entities-belong-to-their-repository',
      comment: 'Rows are read and written by the repository of their folder alone; everybody else calls it.',
      severity: 'error',
      from: {
        path: '^(core|domain|platform|api|worker|tools|web|sandbox|infra|e2e)/',
        pathNot: [
          test,
          '\\.repository\\.ts$',
          '^domain/database\\.ts$',
          // The relay is the repository of the outbox.
          '^platform/(outbox|live)/',
        ],
      },
      to: { path: '\\.entity\\.ts$' },
    },
    {
      name: 'repositories-keep-to-their-folder',
      comment: 'A repository imports the entities of its own folder; of others it calls the repository.',
      severity: 'error',
      from: { path: '^domain/(.+)/[^/]+\\.repository\\.ts$' },
      to: { path: '^domain/.+\\.entity\\.ts$', pathNot: '^domain/$1/[^/]+\\.entity\\.ts$' },
    },
    {
      name: 'only-the-relay-adds-jobs',
      comment:
        'A job is an outbox row, written with the change that causes it; only the relay and the schedules hold queues.',
      severity: 'error',
      from: {
        path: '^(core|domain|platform|api|worker|tools)/',
        pathNot: [
          test,
          '/testing/',
          '^platform/(queues|outbox)/',
          '^worker/(schedules|queue-processor|process-job|worker\\.module)\\.ts$',
          // The queue dashboard shows and retries jobs; readiness counts them.
          '^api/(queue-board|health)/',
          '^api/(resources\\.module|server|outbox/outbox\\.module)\\.ts$',
        ],
      },
      to: { path: '((^|/)node_modules/(bullmq|@nestjs/bullmq)/|^platform/queues/queues\\.module\\.ts$)' },
    },
    {
      name: 'servers-need-no-development-packages',
      comment: 'The images leave devDependencies out; what the browser needs is bundled while building.',
      severity: 'error',
      from: {
        path: '^(core|domain|platform|api|worker|tools|sandbox)/',
        pathNot: [test, '^sandbox/browser/'],
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'tests-lean-on-infra-testing-only',
      comment: 'Tests may use the test services, never the insides of start.',
      severity: 'error',
      from: { path: `^((core|domain|platform|api|worker|tools|web|sandbox)/.*${test}|testing/)` },
      to: { path: '^(infra|e2e)/', pathNot: '^infra/testing/' },
    },
    {
      name: 'simulators-are-for-tests',
      comment: 'The product reaches the sandbox over HTTP only, as it reaches the real services.',
      severity: 'error',
      from: { path: '^(core|domain|platform|api|worker|tools|web|infra)/', pathNot: test },
      to: { path: '^sandbox/' },
    },
    {
      name: 'tests-stay-with-their-package',
      comment: 'A test of api needs no worker; what needs both belongs to e2e.',
      severity: 'error',
      from: { path: [`^(core|domain|platform|api|worker|tools|web|sandbox|infra)/.*${test}`, '^testing/'] },
      // What is deleted after a time is part of what the tests of its folder show.
      to: { path: '^(api|worker|web)/', pathNot: ['^$1/', '^worker/retention/'] },
    },
    {
      name: 'only-server-tests-use-the-sandbox',
      comment:
        'Tests of the server run against the simulated Stripe, bank and rate sources; core, platform and web need none.',
      severity: 'error',
      from: { path: `^(core|platform|web)/.*${test}` },
      to: { path: '^sandbox/' },
    },
    {
      name: 'nothing-imports-e2e',
      severity: 'error',
      from: { pathNot: '^e2e/' },
      to: { path: '^e2e/' },
    },
    webLayer('lib', [], 'Connections, storage and formatting know nothing of what is shown or loaded with them.'),
    webLayer('ui', ['lib'], 'The design system gets what it shows from who uses it.'),
    webLayer('data', ['lib'], 'Queries and live rows serve every screen and show nothing themselves.'),
    webLayer('features', ['data', 'ui', 'lib'], 'Parts of screens; routes put them together.'),
    webLayer('routes', ['features', 'data', 'ui', 'lib'], 'app is around the routes.'),
    {
      name: 'web-features-apart',
      comment:
        'A feature never imports another: routes put them together. What several show of a sending or a rate is in features/shared, which imports none of them.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/', pathNot: '^web/src/features/payment-demos/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/($1|shared)/' },
    },
    {
      name: 'web-payment-demos',
      comment: 'The demonstration pages are made of the production payment, which knows nothing of them.',
      severity: 'error',
      from: { path: '^web/src/features/payment-demos/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/(payment|payment-demos|shared)/' },
    },
    {
      name: 'web-load-errors-by-query-view',
      comment: 'A feature that shows load errors by itself hides data that are there: QueryView knows the difference.',
      severity: 'error',
      from: { path: '^web/src/features/' },
      to: { path: '^web/src/ui/load-error' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { pathNot: 'node_modules' } } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^vite/client$' } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
    doNotFollow: { path: 'node_modules' },
    skipAnalysisNotInRules: true,
    exclude: { path: '^(dist|\\.data|web/\\.react-router)/' },
  },
};

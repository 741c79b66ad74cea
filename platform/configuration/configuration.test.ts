import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { realApiEnvironment, realEnvironment, testEnvironment } from '../../infra/testing/environment.ts';
import { readApiConfiguration } from './api.ts';
import {
  readAdminConfiguration,
  readMigrateConfiguration,
  readPersonalDataConfiguration,
  readSeedConfiguration,
} from './commands.ts';
import { companyVariables } from './mode-rule.ts';
import { variablesOf } from './secrets.ts';
import { readWorkerConfiguration } from './worker.ts';

const DATABASE_URL = 'postgresql://user@127.0.0.1:5432/chasqui';
/** The company where nothing is said of it and no card is charged. */
const unnamed = {
  ...{ isDemonstration: true, name: null, license: null, regulator: null },
  ...{ registerUrl: null, address: null, funds: null },
};
const complete = { ...testEnvironment, DATABASE_URL };
const realApi = { ...realApiEnvironment, DATABASE_URL };
const realWorker = variablesOf('worker', { ...complete, ...realEnvironment });
const { PUBLIC_URL, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = realEnvironment;
const { SECOND_FACTOR_KEY, PERSONAL_DATA_KEY } = realEnvironment;
const { BANK_API_URL, BANK_API_KEY, WATCHMAN_URL } = realEnvironment;

/** Each process with all that it needs outside the sandbox, and nothing else. */
const processes = [
  [
    'api',
    readApiConfiguration,
    {
      ...{ DATABASE_URL, PUBLIC_URL, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, WATCHMAN_URL },
      ...{ SECOND_FACTOR_KEY, PERSONAL_DATA_KEY },
    },
  ],
  [
    'worker',
    readWorkerConfiguration,
    { DATABASE_URL, PUBLIC_URL, STRIPE_SECRET_KEY, BANK_API_URL, BANK_API_KEY, WATCHMAN_URL, PERSONAL_DATA_KEY },
  ],
  ['migrate', readMigrateConfiguration, { DATABASE_URL }],
  ['seed', readSeedConfiguration, { DATABASE_URL, CHASQUI_MODE: 'sandbox', DEMO_PASSWORD: 'x', PERSONAL_DATA_KEY }],
  ['personal-data:rotate', readPersonalDataConfiguration, { DATABASE_URL, PERSONAL_DATA_KEY }],
  ['admin:create', readAdminConfiguration, { DATABASE_URL }],
] as const;

const pushHosts = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'];

/** The message for the operator. */
function complaint(read: (source: NodeJS.ProcessEnv) => unknown, source: NodeJS.ProcessEnv): string {
  try {
    read(source);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(source)}`);
}

test('a variable that is missing is called missing, whatever it must be', () => {
  expect(complaint(readWorkerConfiguration, {})).toContain('\n- BANK_API_URL is missing\n');
});

describe.each(processes)('the configuration of %s', (_, read, needed) => {
  test('needs no other variable than its own', () => {
    expect(() => read(needed)).not.toThrow();
  });

  test.each(Object.keys(needed))('names %s when it is missing or empty, and everything else that is', (name) => {
    expect(complaint(read, { ...needed, [name]: undefined })).toContain(`\n- ${name} `);
    expect(complaint(read, { ...needed, [name]: '' })).toContain(`\n- ${name} `);
    expect(complaint(read, {})).toContain(`\n- ${name} `);
  });
});

describe('the secrets of an installation', () => {
  const smtpUrl = 'smtps://user:p4ss@mail.example';
  const keys = { STRIPE_SECRET_KEY: '', STRIPE_SECRET_KEY_API: 'rk_test_a', STRIPE_SECRET_KEY_WORKER: 'rk_test_w' };
  const installation = {
    ...{
      ...complete,
      ...realEnvironment,
      ...keys,
      SMTP_URL: smtpUrl,
      PUSH_PRIVATE_KEY: 'push',
      ADMIN_PASSWORD: 'adm1n',
    },
    ...{ DATABASE_OWNER_URL: 'postgresql://owner@db/x', DATABASE_OWNER_PASSWORD: 'own3r' },
  };

  test('each server gets its own Stripe key and its own secrets, and starts with them', () => {
    const api = variablesOf('api', installation);
    expect(readApiConfiguration(api)).toMatchObject({ stripe: { secretKey: 'rk_test_a' }, sendsMail: true });
    for (const secret of [BANK_API_KEY, 'rk_test_w', 'p4ss', 'push', 'adm1n', 'own3r', 'owner@'])
      expect(JSON.stringify(api)).not.toContain(secret);
    const worker = { ...variablesOf('worker', installation), PUSH_PRIVATE_KEY: '' };
    expect(readWorkerConfiguration(worker)).toMatchObject({
      stripe: { secretKey: 'rk_test_w' },
      mail: { smtpUrl },
    });
    for (const secret of [STRIPE_WEBHOOK_SECRET, SECOND_FACTOR_KEY, 'rk_test_a', 'adm1n', 'own3r', 'owner@'])
      expect(JSON.stringify(worker)).not.toContain(secret);
    expect(variablesOf('worker', { ...installation, STRIPE_SECRET_KEY_WORKER: '' })).not.toHaveProperty(
      'STRIPE_SECRET_KEY_API',
    );
  });

  test.each([
    ['the api', readApiConfiguration, realApi, 'BANK_API_KEY'],
    ['the api', readApiConfiguration, realApi, 'PUSH_PRIVATE_KEY'],
    ['the api', readApiConfiguration, realApi, 'STRIPE_SECRET_KEY_WORKER'],
    ['the api', readApiConfiguration, realApi, 'DATABASE_OWNER_URL'],
    ['the worker', readWorkerConfiguration, realWorker, 'SECOND_FACTOR_KEY'],
    ['the worker', readWorkerConfiguration, realWorker, 'STRIPE_WEBHOOK_SECRET'],
    ['the worker', readWorkerConfiguration, realWorker, 'DATABASE_OWNER_PASSWORD'],
    ['the worker', readWorkerConfiguration, realWorker, 'ADMIN_PASSWORD'],
  ] as const)('%s refuses to start with a secret that is not its own: %3$s', (server, read, own, name) => {
    expect(() => read(own)).not.toThrow();
    expect(complaint(read, { ...own, [name]: 'x' })).toContain(`\n- ${name} must not be given to ${server}: `);
  });

  test('the api refuses to start with the password of the mail server', () => {
    expect(complaint(readApiConfiguration, { ...realApi, SMTP_URL: smtpUrl })).toContain(
      '\n- SMTP_URL must be smtp://',
    );
  });
});

test('no command is given a key of Stripe', () => {
  const everything = { ...complete, ...realEnvironment };
  for (const read of [readMigrateConfiguration, readAdminConfiguration]) {
    expect(JSON.stringify(read(everything))).not.toContain(STRIPE_SECRET_KEY);
  }
});

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

test('absent variables of the api have default values', () => {
  expect(readApiConfiguration({ ...complete, NODE_ENV: undefined, LOG_LEVEL: undefined })).toEqual({
    replicaUrl: undefined,
    production: true,
    mode: 'sandbox',
    logLevel: 'info',
    port: 3000,
    host: undefined,
    metrics: undefined,
    tracing: undefined,
    drainMs: 0,
    publicUrl: 'http://localhost:3000',
    trustedProxies: [],
    databaseUrl: DATABASE_URL,
    redisUrl: undefined,
    stripe: {
      secretKey: 'sk_test_sandbox',
      publishableKey: 'pk_test_sandbox',
      webhookSecret: 'whsec_sandbox',
      apiUrl: 'http://127.0.0.1:9',
      requestsPerSecond: null,
      sellsCrypto: true,
      scriptUrl: 'http://localhost:9/stripe.js',
    },
    adminsNeedFactor: false,
    sessions: {
      ...{ idleMs: 7_200_000, rememberedIdleMs: 1_209_600_000, adminIdleMs: 1_800_000, adminMs: 43_200_000 },
      stepUpMs: 600_000,
    },
    secondFactorKeys: [Buffer.from('chasqui-sandbox-second-factors-1')],
    personalDataKeys: [Buffer.from('chasqui-sandbox-personal-data-1!')],
    crypto: { walletAddress: 'ChasquiDemo111111111111111111111111111111111' },
    fee: { basisPoints: 350n, fixedMinor: 0n },
    limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n, unpaidTransfers: 10 },
    declines: { account: 20, network: 60, card: 12 },
    desk: { twoPersonsUsdMinor: 50_000n, reviewTwoPersonsUsdMinor: 200_000n },
    newDeviceUsdMinor: 50_000n,
    prices: { charges: [{ basisPoints: 290n, fixedMinor: 30n }], disputeMinor: 1_500n },
    screensNames: false,
    identityVerifier: 'sandbox',
    quoteTtlMs: 30 * 60_000,
    callLimitFactor: 1,
    betterRate: false,
    rates: { everyMs: 7_200_000, pauseAfterMs: 86_400_000, marginBasisPoints: 100n, maxStepBasisPoints: 300n },
    sendsMail: true,
    webhooksAnywhere: true,
    push: { publicKey: testEnvironment.PUSH_PUBLIC_KEY, hosts: pushHosts },
    clamavUrl: undefined,
    help: { whatsapp: undefined, email: undefined },
    company: unnamed,
  });
});

test('notifications on devices need a pair of keys, which the worker has and the api half of', () => {
  expect(readWorkerConfiguration(realWorker).push).toBeNull();
  expect(readApiConfiguration(realApi).push).toEqual({ publicKey: null, hosts: pushHosts });
  const api = readApiConfiguration({ ...complete, PUSH_PRIVATE_KEY: '' });
  expect(JSON.stringify(api, bigintsAsText)).not.toContain(testEnvironment.PUSH_PRIVATE_KEY);
  for (const name of ['PUSH_PUBLIC_KEY', 'PUSH_PRIVATE_KEY'])
    expect(complaint(readWorkerConfiguration, { ...complete, [name]: '' })).toContain(`\n- ${name} must be given`);
  const other = { ...complete, PUSH_PRIVATE_KEY: `D${testEnvironment.PUSH_PRIVATE_KEY.slice(1)}` };
  expect(complaint(readWorkerConfiguration, other)).toContain('\n- PUSH_PRIVATE_KEY must belong to');
  const { PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY } = testEnvironment;
  const public_ = complaint(readWorkerConfiguration, { ...realWorker, PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY });
  expect(public_).toContain('\n- PUSH_PRIVATE_KEY must not be');
});

test('admins need a second factor wherever there is real money', () => {
  expect(readApiConfiguration(realApi).adminsNeedFactor).toBe(true);
  expect(readApiConfiguration(complete).adminsNeedFactor).toBe(false);
});

test('partner webhooks may go to private addresses in the sandbox alone', () => {
  expect(readApiConfiguration(realApi).webhooksAnywhere).toBe(false);
  expect(readWorkerConfiguration(realWorker).webhooksAnywhere).toBe(false);
});

test('absent variables of the worker have default values', () => {
  expect(readWorkerConfiguration({ ...complete, LOG_LEVEL: undefined })).toEqual({
    logLevel: 'info',
    metrics: undefined,
    tracing: undefined,
    company: unnamed,
    publicUrl: 'http://localhost:3000',
    databaseUrl: DATABASE_URL,
    redisUrl: undefined,
    stripe: {
      ...{ secretKey: 'sk_test_sandbox', apiUrl: 'http://127.0.0.1:9' },
      ...{ requestsPerSecond: null, sellsCrypto: true },
    },
    personalDataKeys: [Buffer.from('chasqui-sandbox-personal-data-1!')],
    healthPort: undefined,
    bank: {
      ...{ apiUrl: 'http://127.0.0.1:9/bank', apiKey: 'bank_sandbox' },
      ...{ statementFormat: 'camt053', completionWindowMs: 1_800_000 },
    },
    prices: { charges: [{ basisPoints: 290n, fixedMinor: 30n }], disputeMinor: 1_500n },
    watchmanUrl: null,
    reviewTwoPersonsUsdMinor: 200_000n,
    newDeviceUsdMinor: 50_000n,
    correctAccountMs: 604_800_000,
    sweepEveryMs: 30_000,
    rates: {
      sourcesUrl: 'http://127.0.0.1:9/prices',
      everyMs: 7_200_000,
      pauseAfterMs: 86_400_000,
      maxStepBasisPoints: 300n,
    },
    fee: { basisPoints: 350n, fixedMinor: 0n },
    limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
    declines: { account: 20, network: 60, card: 12 },
    webhooksAnywhere: true,
    push: {
      publicKey: testEnvironment.PUSH_PUBLIC_KEY,
      privateKey: testEnvironment.PUSH_PRIVATE_KEY,
      subject: 'mailto:avisos@localhost',
      hosts: pushHosts,
      anywhere: true,
    },
    mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'Chasqui <avisos@localhost>', requiresTls: false },
  });
});

test('the api and the worker read every variable that is given', () => {
  const given = {
    ...complete,
    LOG_LEVEL: 'debug',
    PORT: '8080',
    LISTEN_ADDRESS: '::1',
    DATABASE_REPLICA_URL: 'postgresql://chasqui@standby/x',
    SHUTDOWN_DRAIN_SECONDS: '2.5',
    REDIS_URL: 'redis://127.0.0.1:6379',
    REDIS_PASSWORD: 'r3d:s@',
    FEE_BASIS_POINTS: '199',
    FEE_FIXED_MINOR: '50',
    LIMIT_DAY_USD: '100',
    LIMIT_MONTH_USD: '200',
    LIMIT_EMAIL_USD: '50/50/150',
    LIMIT_IDENTITY_USD: '60/100/150',
    LIMIT_UNPAID_TRANSFERS: '3',
    DESK_TWO_PERSONS_USD: '1000.5',
    QUOTE_MINUTES: '0.5',
    BETTER_RATE: 'on',
    SESSION_IDLE_MINUTES: '60',
    ADMIN_SESSION_IDLE_MINUTES: '15',
    ADMIN_SESSION_HOURS: '8',
    STEP_UP_MINUTES: '5',
    ACCOUNT_CORRECTION_DAYS: '3',
    SWEEP_SECONDS: '2',
    SMTP_URL: '',
    MAIL_FROM: 'Chasqui <hola@chasqui.example>',
    ADMIN_EMAIL: 'jefa@chasqui.test',
    ADMIN_PASSWORD: 'una clave larga',
    BANK_API_URL: 'https://bank.test/api/',
  };
  expect(readApiConfiguration(given)).toMatchObject({
    logLevel: 'debug',
    port: 8080,
    host: '::1',
    replicaUrl: 'postgresql://chasqui@standby/x',
    drainMs: 2_500,
    publicUrl: 'http://localhost:8080',
    redisUrl: 'redis://:r3d%3As%40@127.0.0.1:6379',
    fee: { basisPoints: 199n, fixedMinor: 50n },
    limits: {
      ...{ dayUsdMinor: 10_000n, monthUsdMinor: 20_000n, unpaidTransfers: 3 },
      lower: {
        email: { paymentUsdMinor: 5_000n, dayUsdMinor: 5_000n, monthUsdMinor: 15_000n },
        identity: { paymentUsdMinor: 6_000n, dayUsdMinor: 10_000n, monthUsdMinor: 15_000n },
      },
    },
    desk: { twoPersonsUsdMinor: 100_050n },
    quoteTtlMs: 30_000,
    betterRate: true,
    sessions: { idleMs: 3_600_000, adminIdleMs: 900_000, adminMs: 28_800_000, stepUpMs: 300_000 },
    sendsMail: false,
  });
  expect(readWorkerConfiguration(given)).toMatchObject({
    publicUrl: 'http://localhost:8080',
    correctAccountMs: 259_200_000,
    sweepEveryMs: 2_000,
    limits: { dayUsdMinor: 10_000n, monthUsdMinor: 20_000n },
    bank: { apiUrl: 'https://bank.test/api' },
    mail: { smtpUrl: undefined, from: 'Chasqui <hola@chasqui.example>', requiresTls: false },
  });
  expect(readMigrateConfiguration(given)).toMatchObject({
    isSandbox: true,
    firstAdmin: { email: 'jefa@chasqui.test', password: 'una clave larga' },
  });
});

test('an empty variable is an absent one', () => {
  const general = ['NODE_ENV', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'REDIS_URL', 'CRYPTO_WALLET_ADDRESS', 'TRUST_PROXY'];
  const numbers = [
    'FEE_BASIS_POINTS',
    'FEE_FIXED_MINOR',
    'LIMIT_DAY_USD',
    'LIMIT_MONTH_USD',
    'LIMIT_EMAIL_USD',
    'LIMIT_IDENTITY_USD',
    'LIMIT_UNPAID_TRANSFERS',
    'DESK_TWO_PERSONS_USD',
    'QUOTE_MINUTES',
    'SESSION_IDLE_MINUTES',
    'ADMIN_SESSION_IDLE_MINUTES',
    'ADMIN_SESSION_HOURS',
    'STEP_UP_MINUTES',
  ];
  const names = [...general, ...numbers, 'DEMO_PASSWORD', 'DATABASE_PASSWORD'];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const absent = Object.fromEntries(names.map((name) => [name, undefined]));
  expect(readApiConfiguration({ ...complete, ...empty })).toEqual(readApiConfiguration({ ...complete, ...absent }));
});

test.each([
  ['https://chasqui.test/', 'https://chasqui.test'],
  ['https://Chasqui.test:443', 'https://chasqui.test'],
  ['http://chasqui.test:8080/inicio', 'http://chasqui.test:8080'],
])('PUBLIC_URL %s is the origin %s, as browsers write it', (url, origin) => {
  expect(readApiConfiguration({ ...complete, PUBLIC_URL: url }).publicUrl).toBe(origin);
});

test('TRUST_PROXY is a list of addresses and ranges, and empty when absent', () => {
  const trusted = (list: string) => readApiConfiguration({ ...complete, TRUST_PROXY: list }).trustedProxies;
  expect(trusted('')).toEqual([]);
  expect(trusted('10.0.0.5, fd00::/8,127.0.0.1')).toEqual(['10.0.0.5', 'fd00::/8', '127.0.0.1']);
  for (const wrong of ['true', '10.0.0.300', 'proxy.example', '10.0.0.0/33']) {
    expect(() => trusted(wrong)).toThrow('TRUST_PROXY');
  }
});

test('SECOND_FACTOR_KEY is a key of 32 bytes, and earlier ones after it', () => {
  const keys = (list: string) => readApiConfiguration({ ...complete, SECOND_FACTOR_KEY: list }).secondFactorKeys;
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
  expect(keys(`${two.toString('base64')}, ${one.toString('base64')}`)).toEqual([two, one]);
  for (const wrong of ['a short one', Buffer.alloc(31).toString('base64'), `${one.toString('base64')},`]) {
    expect(() => keys(wrong)).toThrow('SECOND_FACTOR_KEY must be 32 random bytes');
  }
});

test('figures for monitoring are served on this machine only, unless an address is given', () => {
  const listens = (text: string) => readApiConfiguration({ ...complete, API_METRICS_LISTEN: text }).metrics;
  expect(listens('9464')).toEqual({ host: '127.0.0.1', port: 9464 });
  expect(listens('0.0.0.0:9464')).toEqual({ host: '0.0.0.0', port: 9464 });
  expect(listens('[::]:9464')).toEqual({ host: '::', port: 9464 });
  for (const wrong of ['metrics', ':9464', '70000', 'api.example:9464', '9464/metrics'])
    expect(() => listens(wrong)).toThrow('API_METRICS_LISTEN must');
  expect(readWorkerConfiguration({ ...complete, WORKER_METRICS_LISTEN: '0' }).metrics?.port).toBe(0);
});

test('nothing is traced unless it is said where spans go', () => {
  const traces = (given: object) => readWorkerConfiguration({ ...complete, ...given }).tracing;
  expect(traces({ OTEL_TRACES_SAMPLER_ARG: '0.1' })).toBeUndefined();
  const url = 'http://collector:4318';
  expect(traces({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toEqual({ url, ratio: 1 });
  for (const [name, wrong] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_SAMPLER_ARG', '10'],
  ] as const)
    expect(() => traces({ OTEL_EXPORTER_OTLP_ENDPOINT: url, [name]: wrong })).toThrow(name);
});

test('Stripe gets less requests per second than it takes, and in the sandbox any number', () => {
  const company = Object.fromEntries(companyVariables.map((name) => [name, 'Chasqui S.R.L.']));
  const budget = (given: object) => readApiConfiguration({ ...realApi, ...given }).stripe.requestsPerSecond;
  expect(readApiConfiguration(complete).stripe.requestsPerSecond).toBeNull();
  expect(budget({})).toBe(10);
  const live = { STRIPE_SECRET_KEY: 'rk_live_x', STRIPE_PUBLISHABLE_KEY: 'pk_live_x', NODE_ENV: 'production' };
  expect(budget({ ...live, ...company, SMTP_URL: 'smtps://mail.example' })).toBe(20);
  expect(budget({ STRIPE_REQUESTS_PER_SECOND: '80' })).toBe(80);
  for (const wrong of ['0', '-1', '2.5', 'all']) {
    expect(() => budget({ STRIPE_REQUESTS_PER_SECOND: wrong })).toThrow('STRIPE_REQUESTS_PER_SECOND');
  }
});

test('DATABASE_PASSWORD may contain any characters', () => {
  const password = "p@ss/w#rd%40:?&=ñ '";
  const source = { DATABASE_URL: 'postgresql://chasqui@postgres:5432/chasqui', DATABASE_PASSWORD: password };
  expect(new pg.Client(readAdminConfiguration(source).databaseUrl)).toMatchObject({
    user: 'chasqui',
    password,
    host: 'postgres',
    database: 'chasqui',
  });
});

describe('a configuration error', () => {
  test.each([
    [readApiConfiguration, 'NODE_ENV', 'demo-zzz'],
    [readApiConfiguration, 'LOG_LEVEL', 'loud-zzz'],
    [readApiConfiguration, 'CHASQUI_MODE', 'zzz'],
    [readApiConfiguration, 'PORT', '70000'],
    [readApiConfiguration, 'PORT', '80.5'],
    [readApiConfiguration, 'PORT', 'zzz'],
    [readApiConfiguration, 'LISTEN_ADDRESS', 'localhost-zzz'],
    [readApiConfiguration, 'PUBLIC_URL', 'chasqui.zzz'],
    [readApiConfiguration, 'PUBLIC_URL', 'ftp://chasqui.zzz'],
    [readApiConfiguration, 'DATABASE_URL', 'mysql://root:secret-zzz@db/x'],
    [readApiConfiguration, 'DATABASE_URL', 'secret-zzz'],
    [readApiConfiguration, 'REDIS_URL', 'http://:secret-zzz@redis'],
    [readApiConfiguration, 'REDIS_URL', 'localhost:6379'],
    [readApiConfiguration, 'STRIPE_API_URL', 'localhost:3001'],
    [readApiConfiguration, 'STRIPE_JS_URL', 'javascript:alert(987)'],
    [readApiConfiguration, 'FEE_BASIS_POINTS', '5001'],
    [readApiConfiguration, 'FEE_BASIS_POINTS', '3.5'],
    [readApiConfiguration, 'FEE_BASIS_POINTS', '-1'],
    [readApiConfiguration, 'FEE_FIXED_MINOR', 'zzz'],
    [readApiConfiguration, 'LIMIT_DAY_USD', '987zzz'],
    [readApiConfiguration, 'LIMIT_MONTH_USD', '-987'],
    [readApiConfiguration, 'LIMIT_EMAIL_USD', '987/2'],
    [readApiConfiguration, 'LIMIT_UNPAID_TRANSFERS', '0.987'],
    [readApiConfiguration, 'DESK_TWO_PERSONS_USD', '987.654'],
    [readApiConfiguration, 'QUOTE_MINUTES', '-987'],
    [readApiConfiguration, 'BETTER_RATE', 'maybe'],
    [readApiConfiguration, 'QUOTE_MINUTES', '987654'],
    [readWorkerConfiguration, 'BANK_API_URL', 'localhost:3001'],
    [readWorkerConfiguration, 'SWEEP_SECONDS', 'zzz'],
  ])('of %o names %s=%s but not the value', (read, name, value) => {
    const message = complaint(read, { ...complete, [name]: value });
    expect(message).toContain(`\n- ${name} `);
    expect(message).not.toContain(value);
    expect(message).not.toMatch(/zzz|987/);
  });

  test('never shows the values that were right either', () => {
    const given = { ...complete, PORT: 'x', DEMO_PASSWORD: 'hidden-one', ADMIN_PASSWORD: 'hidden-two' };
    const message = complaint(readApiConfiguration, given);
    for (const value of ['hidden-one', 'hidden-two', 'sk_test_sandbox', 'whsec_sandbox', DATABASE_URL]) {
      expect(message).not.toContain(value);
    }
  });

  test.each([{ ADMIN_EMAIL: 'jefa@chasqui.test' }, { ADMIN_PASSWORD: 'una clave larga' }])(
    'says that the two of the first admin go together: %j',
    (half) => {
      expect(complaint(readMigrateConfiguration, { ...complete, ...half })).toMatch(/ADMIN_EMAIL .*ADMIN_PASSWORD/);
    },
  );
});

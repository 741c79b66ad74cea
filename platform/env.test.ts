import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { realEnvironment, testEnvironment } from '../infra/testing/environment.ts';
import { readEnv } from './env.ts';

const complete = { ...testEnvironment, DATABASE_URL: 'postgresql://user@127.0.0.1:5432/chasqui' };
const read = (changes: NodeJS.ProcessEnv = {}) => readEnv({ ...complete, ...changes });

/** What the operator gets to read. */
function complaint(changes: NodeJS.ProcessEnv): string {
  try {
    read(changes);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(changes)}`);
}

test('what is not given has the defaults of the product', () => {
  expect(readEnv({ ...complete, NODE_ENV: undefined, LOG_LEVEL: undefined })).toEqual({
    production: true,
    mode: 'sandbox',
    logLevel: 'info',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    trustedProxies: [],
    databaseUrl: complete.DATABASE_URL,
    redisUrl: undefined,
    stripe: {
      secretKey: 'sk_test_sandbox',
      publishableKey: 'pk_test_sandbox',
      webhookSecret: 'whsec_sandbox',
      apiUrl: 'http://127.0.0.1:9',
      scriptUrl: 'http://localhost:9/stripe.js',
    },
    crypto: { walletAddress: 'ChasquiDemo111111111111111111111111111111111' },
    bank: { apiUrl: 'http://127.0.0.1:9/bank', apiKey: 'bank_sandbox' },
    fee: { basisPoints: 350n, fixedMinor: 0n },
    limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
    quoteTtlMs: 30 * 60_000,
    sweepEveryMs: 30_000,
    rates: {
      sourcesUrl: 'http://127.0.0.1:9/prices',
      everyMs: 7_200_000,
      pauseAfterMs: 86_400_000,
      marginBasisPoints: 100n,
      maxStepBasisPoints: 300n,
    },
    mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'Chasqui <avisos@localhost>' },
    help: { whatsapp: undefined, email: undefined },
    firstAdmin: undefined,
    demoPassword: undefined,
  });
});

test('what is given is taken', () => {
  const env = read({
    NODE_ENV: 'production',
    LOG_LEVEL: 'debug',
    PORT: '8080',
    REDIS_URL: 'redis://127.0.0.1:6379',
    FEE_BASIS_POINTS: '199',
    FEE_FIXED_MINOR: '50',
    LIMIT_DAY_USD: '100',
    LIMIT_MONTH_USD: '200',
    QUOTE_MINUTES: '0.5',
    SWEEP_SECONDS: '2',
    ADMIN_EMAIL: 'jefa@chasqui.test',
    ADMIN_PASSWORD: 'una clave larga',
    BANK_API_URL: 'https://bank.test/api/',
  });
  expect(env).toMatchObject({
    production: true,
    logLevel: 'debug',
    port: 8080,
    publicUrl: 'http://localhost:8080',
    redisUrl: 'redis://127.0.0.1:6379',
    fee: { basisPoints: 199n, fixedMinor: 50n },
    limits: { dayUsdMinor: 10_000n, monthUsdMinor: 20_000n },
    quoteTtlMs: 30_000,
    sweepEveryMs: 2_000,
    firstAdmin: { email: 'jefa@chasqui.test', password: 'una clave larga' },
    bank: { apiUrl: 'https://bank.test/api' },
  });
});

test('an empty variable is an absent one', () => {
  const optional = ['NODE_ENV', 'LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'REDIS_URL', 'CRYPTO_WALLET_ADDRESS'];
  const numbers = ['FEE_BASIS_POINTS', 'FEE_FIXED_MINOR', 'LIMIT_DAY_USD', 'LIMIT_MONTH_USD', 'QUOTE_MINUTES'];
  const names = [...optional, ...numbers, 'SWEEP_SECONDS', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'DEMO_PASSWORD'];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const absent = Object.fromEntries(names.map((name) => [name, undefined]));
  expect(read(empty)).toEqual(read(absent));
});

test.each([
  ['https://chasqui.test/', 'https://chasqui.test'],
  ['https://Chasqui.test:443', 'https://chasqui.test'],
  ['http://chasqui.test:8080/inicio', 'http://chasqui.test:8080'],
])('PUBLIC_URL %s is the origin %s, as browsers write it', (PUBLIC_URL, origin) => {
  expect(read({ PUBLIC_URL }).publicUrl).toBe(origin);
});

test('TRUST_PROXY is a list of addresses and ranges, and nobody when absent', () => {
  expect(read({}).trustedProxies).toEqual([]);
  expect(read({ TRUST_PROXY: '10.0.0.5, fd00::/8,127.0.0.1' }).trustedProxies).toEqual([
    '10.0.0.5',
    'fd00::/8',
    '127.0.0.1',
  ]);
  for (const wrong of ['true', '10.0.0.300', 'proxy.example', '10.0.0.0/33']) {
    expect(() => read({ TRUST_PROXY: wrong })).toThrow('TRUST_PROXY');
  }
});

test('DATABASE_PASSWORD may contain any characters', () => {
  const password = "p@ss/w#rd%40:?&=ñ '";
  const { databaseUrl } = read({
    DATABASE_URL: 'postgresql://chasqui@postgres:5432/chasqui',
    DATABASE_PASSWORD: password,
  });
  expect(new pg.Client(databaseUrl)).toMatchObject({
    user: 'chasqui',
    password,
    host: 'postgres',
    database: 'chasqui',
  });
});

describe('a complaint', () => {
  const required = ['DATABASE_URL', 'STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];

  test.each([...required, 'BANK_API_URL', 'BANK_API_KEY'])('names %s when it is missing or empty', (name) => {
    expect(complaint({ [name]: undefined })).toContain(name);
    expect(complaint({ [name]: '' })).toContain(name);
  });

  test('names everything that is missing at once', () => {
    const absent = Object.fromEntries(required.map((name) => [name, undefined]));
    for (const name of required) expect(complaint(absent)).toContain(name);
  });

  test.each([
    ['NODE_ENV', 'demo-zzz'],
    ['LOG_LEVEL', 'loud-zzz'],
    ['PORT', '70000'],
    ['PORT', '80.5'],
    ['PORT', 'zzz'],
    ['PUBLIC_URL', 'chasqui.zzz'],
    ['PUBLIC_URL', 'ftp://chasqui.zzz'],
    ['DATABASE_URL', 'mysql://root:secret-zzz@db/x'],
    ['DATABASE_URL', 'secret-zzz'],
    ['REDIS_URL', 'http://:secret-zzz@redis'],
    ['REDIS_URL', 'localhost:6379'],
    ['STRIPE_API_URL', 'localhost:3001'],
    ['STRIPE_JS_URL', 'javascript:alert(987)'],
    ['BANK_API_URL', 'localhost:3001'],
    ['FEE_BASIS_POINTS', '5001'],
    ['FEE_BASIS_POINTS', '3.5'],
    ['FEE_BASIS_POINTS', '-1'],
    ['FEE_FIXED_MINOR', 'zzz'],
    ['LIMIT_DAY_USD', '987zzz'],
    ['LIMIT_MONTH_USD', '-987'],
    ['QUOTE_MINUTES', '-987'],
    ['QUOTE_MINUTES', '987654'],
    ['SWEEP_SECONDS', 'zzz'],
  ])('names %s=%s but not the value', (name, value) => {
    const message = complaint({ [name]: value });
    expect(message).toContain(name);
    expect(message).not.toContain(value);
    expect(message).not.toMatch(/zzz|987/);
  });

  test('never shows the values that were right either', () => {
    const message = complaint({ PORT: 'x', DEMO_PASSWORD: 'hidden-one', ADMIN_PASSWORD: 'hidden-two' });
    for (const value of ['hidden-one', 'hidden-two', 'sk_test_sandbox', 'whsec_sandbox', complete.DATABASE_URL]) {
      expect(message).not.toContain(value);
    }
  });

  test.each([{ ADMIN_EMAIL: 'jefa@chasqui.test' }, { ADMIN_PASSWORD: 'una clave larga' }])(
    'says that the two of the first admin go together: %j',
    (half) => {
      const message = complaint(half);
      expect(message).toMatch(/ADMIN_EMAIL.*ADMIN_PASSWORD/);
    },
  );

  test('refuses a live Stripe key outside production', () => {
    const live = { ...realEnvironment, STRIPE_SECRET_KEY: 'sk_live_zzz', STRIPE_PUBLISHABLE_KEY: 'pk_live_zzz' };
    expect(complaint(live)).toMatch(/^- STRIPE_SECRET_KEY(?!.*zzz)/m);
    expect(read({ ...live, NODE_ENV: 'production' })).toMatchObject({ production: true, mode: 'live' });
  });
});

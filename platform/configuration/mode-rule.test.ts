import { describe, expect, test } from 'vitest';
import { realEnvironment, testEnvironment } from '../../infra/testing/environment.ts';
import { readApiConfiguration } from './api.ts';
import { checkInstallation } from './installation.ts';
import { companyVariables } from './mode-rule.ts';
import { variablesOf } from './secrets.ts';

const databaseUrl = 'postgresql://user@127.0.0.1:5432/chasqui';
const real = { ...testEnvironment, ...realEnvironment, DATABASE_URL: databaseUrl, NODE_ENV: 'production' };
const company = Object.fromEntries(companyVariables.map((name) => [name, 'given']));
const liveKeys = {
  STRIPE_SECRET_KEY: '',
  STRIPE_SECRET_KEY_API: 'rk_live_x',
  STRIPE_SECRET_KEY_WORKER: 'rk_live_y',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
};
const live = { ...real, ...company, ...liveKeys };
const sandbox = { ...testEnvironment, DATABASE_URL: databaseUrl, DEMO_PASSWORD: 'x' };

/** The variables that a whole installation names as wrong. */
function refused(variables: NodeJS.ProcessEnv): string[] {
  return [...complaint(variables).matchAll(/^- ([A-Z_]+) /gm)].map(([, name]) => name as string);
}

function complaint(variables: NodeJS.ProcessEnv): string {
  try {
    checkInstallation(variables);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('outside the sandbox', () => {
  test.each([
    ['live', live],
    ['test', real],
  ] as const)('a %s key of Stripe with everything real is accepted', (mode, environment) => {
    expect(refused(environment)).toEqual([]);
    expect(refused({ ...environment, SMTP_URL: 'smtp://mail.example:587' })).toEqual([]);
    const api = variablesOf('api', environment);
    expect(readApiConfiguration(api).mode).toBe(mode);
    expect(readApiConfiguration({ ...api, CHASQUI_MODE: '' }).mode).toBe(mode);
  });

  test.each([
    ['DEMO_PASSWORD', 'chasqui-demo-2026'],
    ['CALL_LIMIT_FACTOR', '2'],
    ['BANK_COMPLETION_MINUTES', '0.5'],
    ['STRIPE_API_URL', 'http://sandbox:3001'],
    ['STRIPE_API_URL', 'https://proxy.example'],
    ['STRIPE_JS_URL', 'http://localhost:3001/stripe.js'],
    ['STRIPE_SECRET_KEY', 'sk_test_sandbox'],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_sandbox'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_sandbox'],
    ['SECOND_FACTOR_KEY', testEnvironment.SECOND_FACTOR_KEY],
    ['SECOND_FACTOR_KEY', `${realEnvironment.SECOND_FACTOR_KEY},${testEnvironment.SECOND_FACTOR_KEY}`],
    ['PERSONAL_DATA_KEY', testEnvironment.PERSONAL_DATA_KEY],
    ['BANK_API_URL', 'http://sandbox:3001/bank'],
    ['BANK_API_URL', 'http://127.0.0.1:3001/bank'],
    ['BANK_API_URL', 'https://127.0.0.1/bank'],
    ['BANK_API_URL', 'https://[::ffff:127.0.0.1]/bank'],
    ['BANK_API_URL', 'https://169.254.169.254/latest/meta-data'],
    ['BANK_API_URL', 'https://[fe80::1]/bank'],
    ['RATE_SOURCES_URL', 'https://localhost/prices'],
    ['WATCHMAN_URL', 'http://169.254.169.254/'],
    ['WATCHMAN_URL', 'http://watchman.example:8084'],
    ['DATABASE_URL', 'postgresql://user@db.example/chasqui'],
    ['DATABASE_URL', 'postgresql://user@10.0.0.5/chasqui?sslmode=no-verify'],
    ['DATABASE_REPLICA_URL', 'postgresql://user@standby.example/chasqui'],
    ['DATABASE_OWNER_URL', 'postgresql://user@[fd00::5]/chasqui?sslmode=disable'],
    ['REDIS_URL', 'redis://redis.example:6379'],
    ['CLAMAV_URL', 'tcp://clamav.example:3310'],
    ['BANK_API_KEY', 'bank_sandbox'],
    ['RATE_SOURCES_URL', 'http://sandbox:3001/prices'],
    ['WATCHMAN_URL', 'http://sandbox:3001/watchman'],
    ['SMTP_URL', 'smtp://sandbox:3002'],
    ['SMTP_URL', 'smtp://127.0.0.1:3002'],
    ['SMTP_URL', 'smtp://LOCALHOST.:3002'],
    ['SMTP_URL', 'smtp://[::1]:3002'],
    ['CRYPTO_WALLET_ADDRESS', 'ChasquiDemo111111111111111111111111111111111'],
    ['PUSH_PUBLIC_KEY', testEnvironment.PUSH_PUBLIC_KEY],
    ['PUSH_PRIVATE_KEY', testEnvironment.PUSH_PRIVATE_KEY],
    ['PUBLIC_URL', 'http://chasqui.example'],
    ['PUBLIC_URL', ''],
  ])('%s=%s is refused by name', (variable, value) => {
    expect(refused({ ...real, [variable]: value })).toContain(variable);
    const own = variable === 'STRIPE_SECRET_KEY' ? { STRIPE_SECRET_KEY_API: '', STRIPE_SECRET_KEY_WORKER: '' } : {};
    expect(refused({ ...live, ...own, [variable]: value })).toContain(variable);
  });

  test.each([
    ['DATABASE_URL', 'postgresql://user@db.example/chasqui?sslmode=verify-full'],
    ['DATABASE_URL', 'postgresql://user@postgres:5432/chasqui'],
    ['REDIS_URL', 'rediss://redis.example:6379'],
    ['REDIS_URL', 'redis://redis:6379'],
    ['REDIS_URL', 'redis://127.0.0.1:6379'],
    ['WATCHMAN_URL', 'https://watchman.example'],
    ['CLAMAV_URL', 'tls://clamav.example:3310'],
    ['CLAMAV_URL', 'tcp://clamav:3310'],
  ])('%s=%s is accepted: it asks for TLS, or does not leave the machine', (variable, value) => {
    expect(refused({ ...real, [variable]: value })).toEqual([]);
  });

  test('within Kubernetes, where a name is a service of any machine, a name without TLS is refused, and this machine is not', () => {
    const services = {
      ...{ REDIS_URL: 'redis://redis:6379', DATABASE_URL: 'postgresql://user@localhost:5432/chasqui' },
      WATCHMAN_URL: 'https://watchman:8084',
    };
    expect(refused({ ...real, ...services, KUBERNETES_SERVICE_HOST: '10.96.0.1' })).toEqual(['REDIS_URL']);
    expect(refused({ ...real, ...services })).toEqual([]);
  });

  test('a live secret key is refused, and one restricted key for both servers', () => {
    const secret = { ...live, STRIPE_SECRET_KEY_API: 'sk_live_x' };
    expect(refused(secret)).toEqual(['STRIPE_SECRET_KEY']);
    expect(complaint(secret)).toContain('must be a restricted key (rk_live_)');
    expect(refused({ ...live, STRIPE_SECRET_KEY_WORKER: 'rk_live_x' })).toEqual(['STRIPE_SECRET_KEY_WORKER']);
    const shared = { STRIPE_SECRET_KEY: 'rk_live_x', STRIPE_SECRET_KEY_API: '', STRIPE_SECRET_KEY_WORKER: '' };
    expect(refused({ ...live, ...shared })).toEqual(['STRIPE_SECRET_KEY_WORKER']);
  });

  test('Stripe keys of different modes are refused', () => {
    expect(refused({ ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_x' })).toEqual(['STRIPE_PUBLISHABLE_KEY']);
    expect(refused({ ...real, STRIPE_PUBLISHABLE_KEY: 'pk_live_x' })).toEqual(['STRIPE_PUBLISHABLE_KEY']);
    expect(refused({ ...live, STRIPE_SECRET_KEY_WORKER: 'rk_test_x' })).toEqual(['STRIPE_PUBLISHABLE_KEY']);
  });

  test('a live Stripe key is refused in development and tests', () => {
    expect(refused({ ...live, NODE_ENV: 'test' })).toEqual(['NODE_ENV']);
    expect(refused({ ...live, NODE_ENV: '' })).toEqual([]);
  });

  test('every process rejects sandbox values, even in variables that it does not use', () => {
    const api = variablesOf('api', real);
    expect(() => readApiConfiguration({ ...api, BANK_API_KEY: 'bank_sandbox', DEMO_PASSWORD: 'x' })).toThrow(
      /^- BANK_API_KEY .*\n- DEMO_PASSWORD /m,
    );
  });

  test('lists all problems at once, including missing and invalid variables, and shows no value', () => {
    const given = {
      CHASQUI_MODE: 'real',
      STRIPE_SECRET_KEY: 'rk_live_zzz',
      DEMO_PASSWORD: 'zzz',
      PORT: 'zzz',
      BANK_API_KEY: '',
    };
    expect(refused({ ...sandbox, ...given }).toSorted()).toEqual([
      'BANK_API_KEY',
      'BANK_API_URL',
      ...companyVariables.toSorted(),
      'CRYPTO_WALLET_ADDRESS',
      'DEMO_PASSWORD',
      'NODE_ENV',
      'PERSONAL_DATA_KEY',
      'PORT',
      'PUBLIC_URL',
      'PUSH_PRIVATE_KEY',
      'PUSH_PUBLIC_KEY',
      'RATE_SOURCES_URL',
      'SECOND_FACTOR_KEY',
      'SMTP_URL',
      'STRIPE_API_URL',
      'STRIPE_JS_URL',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_SECRET_KEY_WORKER',
      'STRIPE_WEBHOOK_SECRET',
    ]);
    expect(complaint({ ...sandbox, ...given })).not.toMatch(/zzz|whsec_|127\.0\.0\.1/);
  });

  test('a real key alone is refused with everything that is missing', () => {
    expect(refused({ STRIPE_SECRET_KEY: 'sk_live_x', DATABASE_URL: databaseUrl }).toSorted()).toEqual([
      'BANK_API_KEY',
      'BANK_API_URL',
      ...companyVariables.toSorted(),
      'PERSONAL_DATA_KEY',
      'PUBLIC_URL',
      'SECOND_FACTOR_KEY',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_SECRET_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'WATCHMAN_URL',
    ]);
  });

  test('a live key is refused while pages cannot say who takes the money, and Stripe’s test keys are not', () => {
    expect(refused({ ...live, COMPANY_LICENSE: '' })).toEqual(['COMPANY_LICENSE']);
    expect(readApiConfiguration(variablesOf('api', live)).company).toMatchObject({
      isDemonstration: false,
      name: 'given',
    });
    expect(readApiConfiguration(variablesOf('api', real)).company).toMatchObject({ isDemonstration: true, name: null });
  });
});

describe('in the sandbox', () => {
  test('everything of the sandbox is accepted', () => {
    expect(refused(sandbox)).toEqual([]);
    expect(readApiConfiguration(sandbox).mode).toBe('sandbox');
  });

  test.each([
    ['STRIPE_API_URL', ''],
    ['STRIPE_JS_URL', ''],
    ['STRIPE_SECRET_KEY', 'sk_live_x'],
    ['STRIPE_SECRET_KEY', 'sk_test_x'],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_live_x'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_x'],
    ['BANK_API_KEY', 'a real one'],
  ])('%s=%s is refused by name', (variable, value) => {
    expect(refused({ ...sandbox, [variable]: value })).toContain(variable);
  });
});

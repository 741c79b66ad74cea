import { describe, expect, test } from 'vitest';
import { realEnvironment, testEnvironment } from '../../infra/testing/environment.ts';
import { readEnv } from '../env.ts';
import { findSandboxProblems } from './sandbox-rule.ts';

const databaseUrl = 'postgresql://user@127.0.0.1:5432/chasqui';
const real = { ...realEnvironment, DATABASE_URL: databaseUrl, NODE_ENV: 'production' };
const live = { ...real, STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_PUBLISHABLE_KEY: 'pk_live_x' };
const sandbox = { ...testEnvironment, DATABASE_URL: databaseUrl };

const refused = (variables: NodeJS.ProcessEnv) => findSandboxProblems(variables).map(({ variable }) => variable);

describe('with a real Stripe key', () => {
  test.each([
    ['live', live],
    ['test', real],
  ] as const)('a %s key with everything real is accepted', (mode, environment) => {
    expect(readEnv(environment).mode).toBe(mode);
    expect(readEnv({ ...environment, SMTP_URL: 'smtp://mail.example:587' }).mode).toBe(mode);
  });

  test.each([
    ['DEMO_PASSWORD', 'chasqui-demo-2026'],
    ['STRIPE_API_URL', 'http://sandbox:3001'],
    ['STRIPE_API_URL', 'https://proxy.example'],
    ['STRIPE_JS_URL', 'http://localhost:3001/stripe.js'],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_sandbox'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_sandbox'],
    ['BANK_API_URL', 'http://sandbox:3001/bank'],
    ['BANK_API_URL', 'http://127.0.0.1:3001/bank'],
    ['BANK_API_KEY', 'bank_sandbox'],
    ['RATE_SOURCES_URL', 'http://sandbox:3001/prices'],
    ['SMTP_URL', 'smtp://sandbox:3002'],
    ['SMTP_URL', 'smtp://127.0.0.1:3002'],
    ['SMTP_URL', 'smtp://LOCALHOST.:3002'],
    ['SMTP_URL', 'smtp://[::1]:3002'],
    ['CRYPTO_WALLET_ADDRESS', 'ChasquiDemo111111111111111111111111111111111'],
    ['PUBLIC_URL', 'http://chasqui.example'],
    ['PUBLIC_URL', ''],
  ])('%s=%s is refused by name', (variable, value) => {
    for (const environment of [real, live]) {
      expect(refused({ ...environment, [variable]: value })).toContain(variable);
      expect(() => readEnv({ ...environment, [variable]: value })).toThrow(new RegExp(`^- ${variable} `, 'm'));
    }
  });

  test('keys of different modes are refused', () => {
    expect(refused({ ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_x' })).toEqual(['STRIPE_PUBLISHABLE_KEY']);
  });

  test('all problems are listed at once, beside what is missing or wrong, and no value is shown', () => {
    const environment = {
      ...sandbox,
      STRIPE_SECRET_KEY: 'sk_live_zzz',
      DEMO_PASSWORD: 'zzz',
      PORT: 'zzz',
      BANK_API_KEY: '',
    };
    let message = '';
    try {
      readEnv(environment);
    } catch (error) {
      message = (error as Error).message;
    }
    const named = [...message.matchAll(/^- ([A-Z_]+)/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual([
      'BANK_API_KEY',
      'BANK_API_URL',
      'CRYPTO_WALLET_ADDRESS',
      'DEMO_PASSWORD',
      'PORT',
      'PUBLIC_URL',
      'RATE_SOURCES_URL',
      'SMTP_URL',
      'STRIPE_API_URL',
      'STRIPE_JS_URL',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_WEBHOOK_SECRET',
    ]);
    expect(message).not.toMatch(/zzz|whsec_|127\.0\.0\.1/);
  });
});

describe("with the sandbox's Stripe key", () => {
  test('everything of the sandbox is accepted', () => {
    expect(readEnv({ ...sandbox, DEMO_PASSWORD: 'x' }).mode).toBe('sandbox');
  });

  test.each([
    ['STRIPE_API_URL', ''],
    ['STRIPE_JS_URL', ''],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_live_x'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_x'],
    ['BANK_API_KEY', 'a real one'],
  ])('%s=%s is refused by name', (variable, value) => {
    expect(refused({ ...sandbox, [variable]: value })).toEqual([variable]);
  });
});

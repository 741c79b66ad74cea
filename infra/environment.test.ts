import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './places.ts';
import { makePlan } from './plan.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Names that a room's parse of its environment declares. */
function declared(path: string): string[] {
  return [...read(path).matchAll(/^\s+([A-Z][A-Z_]+): /gm)].map(([, name]) => name as string);
}

describe('.env.example', () => {
  const listed = [...read('.env.example').matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

  it.each(['platform/env.ts', 'sandbox/environment.ts'])('lists every variable of %s', (path) => {
    const names = declared(path);
    expect(names.length).toBeGreaterThan(5);
    expect(listed).toEqual(expect.arrayContaining(names));
  });

  it('requires none: every line is commented out', () => {
    expect(read('.env.example').match(/^[^#\n].*$/gm)).toBeNull();
  });
});

describe('the plan of a start', () => {
  it('without any variable: the sandbox plays Stripe and bank, demo accounts exist', () => {
    const plan = makePlan({});
    expect(plan).toMatchObject({ port: 3000, publicUrl: 'http://localhost:3000', databaseUrl: undefined });
    expect(plan.sandbox).toMatchObject({ port: 3001 });
    expect(plan.demoPassword).toBeDefined();
    expect(plan.env).toMatchObject({
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_API_URL: 'http://127.0.0.1:3001',
      BANK_API_URL: 'http://127.0.0.1:3001/bank',
      RATE_SOURCES_URL: 'http://127.0.0.1:3001/prices',
      SMTP_URL: 'smtp://127.0.0.1:3002',
      HELP_EMAIL: 'ayuda@chasqui.test',
    });
  });

  it('with real keys and bank: no sandbox, no demo accounts, nothing put over them', () => {
    const given = {
      PORT: '4000',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      BANK_API_URL: 'https://bank.example',
      BANK_API_KEY: 'key',
      DEMO_PASSWORD: 'must not matter',
    };
    const plan = makePlan(given);
    expect(plan.sandbox).toBeUndefined();
    expect(plan.demoPassword).toBeUndefined();
    expect(plan.env).toMatchObject({ ...given, DEMO_PASSWORD: undefined });
    expect(plan.env.STRIPE_API_URL).toBeUndefined();
    expect(plan.env.STRIPE_JS_URL).toBeUndefined();
    expect(plan.env.RATE_SOURCES_URL).toBeUndefined();
    expect(plan.env.SMTP_URL).toBeUndefined();
    expect(plan.env.HELP_WHATSAPP).toBeUndefined();
    expect(plan.env.HELP_EMAIL).toBeUndefined();
  });

  it("with a test key of Stripe's and no bank: the sandbox plays the bank alone, no demo accounts", () => {
    const plan = makePlan({
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
      STRIPE_WEBHOOK_SECRET: 'w',
    });
    expect(plan.sandbox?.port).toBe(3001);
    expect(plan.env.BANK_API_URL).toBe('http://127.0.0.1:3001/bank');
    expect(plan.env.STRIPE_API_URL).toBeUndefined();
    expect(plan.demoPassword).toBeUndefined();
  });
});

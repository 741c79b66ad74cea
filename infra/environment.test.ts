import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { apiVariables } from '../platform/configuration/api.ts';
import { migrateVariables, seedVariables } from '../platform/configuration/commands.ts';
import { checkInstallation } from '../platform/configuration/installation.ts';
import { companyVariables, sandboxValues } from '../platform/configuration/mode-rule.ts';
import { workerVariables } from '../platform/configuration/worker.ts';
import { readConfig } from './config.ts';
import { root } from './paths.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const processes = { api: apiVariables, worker: workerVariables, migrate: migrateVariables, seed: seedVariables };

describe('.env.example', () => {
  const listed = [...read('.env.example').matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

  it('lists every variable of the processes and of the sandbox', () => {
    const sandbox = [...read('sandbox/environment.ts').matchAll(/^\s+([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    expect(sandbox.length).toBeGreaterThan(5);
    expect(listed).toEqual(expect.arrayContaining([...Object.values(processes).flat(), ...sandbox]));
  });

  it.each(['docker-compose.yml', 'infra/sandbox.env'])('lists every variable that %s takes or gives', (path) => {
    const used = [...read(path).matchAll(/\$\{([A-Z_]+)|^([A-Z_]+)=/gm)].map(([, taken, given]) => taken ?? given);
    expect(used.length).toBeGreaterThan(5);
    for (const name of used.filter((name) => name !== 'COMPOSE_PROFILES')) expect(listed).toContain(name);
  });

  it('requires none: every line is commented out', () => {
    expect(read('.env.example').match(/^[^#\n].*$/gm)).toBeNull();
  });
});

describe('docker-compose.yml', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string>; restart?: string; profiles?: string[] }>;
  };
  const given = (service: string) => Object.keys(services[service]?.environment ?? {}).toSorted();

  it.each(Object.entries(processes))(
    'gives %s the variables of its configuration and no others',
    (service, variables) => {
      expect(given(service)).toEqual(variables.toSorted());
    },
  );

  it('gives its check of the configuration the variables of all processes', () => {
    const perServer = ['STRIPE_SECRET_KEY_API', 'STRIPE_SECRET_KEY_WORKER'];
    expect(given('configuration')).toEqual([...new Set([...Object.values(processes).flat(), ...perServer])].toSorted());
  });

  it('starts every service again with the machine, except the commands, and the simulators with the sandbox only', () => {
    const names = Object.keys(services);
    const commands = ['configuration', 'migrate', 'seed'];
    expect(names.filter((name) => services[name]?.restart !== 'unless-stopped')).toEqual(commands);
    expect(names.filter((name) => services[name]?.profiles?.includes('sandbox'))).toEqual(['seed', 'sandbox']);
  });

  it('gives each server the Stripe key of its own, or else the one of both', () => {
    for (const [server, own] of Object.entries({ api: 'STRIPE_SECRET_KEY_API', worker: 'STRIPE_SECRET_KEY_WORKER' }))
      expect(services[server]?.environment.STRIPE_SECRET_KEY).toBe(`\${${own}:-\${STRIPE_SECRET_KEY:-}}`);
  });

  it('has no value of the sandbox: those are in a file of their own', () => {
    const { CHASQUI_MODE: _, ...keys } = sandboxValues;
    for (const value of [...Object.values(keys), 'chasqui-demo', 'sandbox:300']) {
      expect(read('docker-compose.yml')).not.toContain(value);
    }
  });

  it('starts the sandbox with the file of its own, which the configuration accepts and which refuses a real key', () => {
    const variables = parseEnv(read('infra/sandbox.env'));
    const env = { ...variables, DATABASE_URL: 'postgresql://chasqui@postgres/chasqui' };
    expect(() => checkInstallation(env)).not.toThrow();
    expect(() => checkInstallation({ ...env, STRIPE_SECRET_KEY: 'sk_live_x' })).toThrow(/^- STRIPE_SECRET_KEY /m);
    expect(() => checkInstallation({ ...env, CHASQUI_MODE: 'real' })).toThrow(/^- DEMO_PASSWORD /m);
  });
});

describe('the configuration of npm start', () => {
  it('without any variable the sandbox simulates Stripe and bank, and demo accounts exist', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ port: 3000, publicUrl: 'http://localhost:3000', database: undefined });
    expect(config.sandbox).toMatchObject({ port: 3001 });
    expect(config.demoPassword).toBeDefined();
    expect(config.env).toMatchObject({
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_API_URL: 'http://127.0.0.1:3001',
      BANK_API_URL: 'http://127.0.0.1:3001/bank',
      WATCHMAN_URL: 'http://127.0.0.1:3001/watchman',
      RATE_SOURCES_URL: 'http://127.0.0.1:3001/prices',
      SMTP_URL: 'smtp://127.0.0.1:3002',
      HELP_EMAIL: 'ayuda@chasqui.test',
    });
  });

  it('with real keys and bank has no sandbox and no demo accounts, and changes nothing that is given', () => {
    const given = {
      PORT: '4000',
      PUBLIC_URL: 'https://chasqui.example',
      STRIPE_SECRET_KEY_API: 'rk_live_x',
      STRIPE_SECRET_KEY_WORKER: 'rk_live_y',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      SECOND_FACTOR_KEY: Buffer.alloc(32).toString('base64'),
      PERSONAL_DATA_KEY: Buffer.alloc(32).toString('base64'),
      BANK_API_URL: 'https://bank.example',
      BANK_API_KEY: 'key',
      WATCHMAN_URL: 'none',
      ...Object.fromEntries(companyVariables.map((name) => [name, 'given'])),
    };
    const config = readConfig(given);
    expect(config.sandbox).toBeUndefined();
    expect(config.demoPassword).toBeUndefined();
    expect(config.env).toMatchObject(given);
    expect(config.env.DEMO_PASSWORD).toBeUndefined();
    expect(config.env.STRIPE_API_URL).toBeUndefined();
    expect(config.env.STRIPE_JS_URL).toBeUndefined();
    expect(config.env.RATE_SOURCES_URL).toBeUndefined();
    expect(config.env.SMTP_URL).toBeUndefined();
    expect(config.env.HELP_WHATSAPP).toBeUndefined();
    expect(config.env.HELP_EMAIL).toBeUndefined();
  });

  it('refuses a real key that stands alone, naming everything that is missing or of the sandbox', () => {
    const config = () =>
      readConfig({ STRIPE_SECRET_KEY: 'sk_live_x', DEMO_PASSWORD: 'x', SMTP_URL: 'smtp://127.0.0.1:3002' });
    const names = [
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'SECOND_FACTOR_KEY',
      'PERSONAL_DATA_KEY',
      'BANK_API_URL',
      'BANK_API_KEY',
      'WATCHMAN_URL',
      'PUBLIC_URL',
    ];
    for (const name of [...names, 'DEMO_PASSWORD', 'SMTP_URL']) {
      expect(config).toThrow(new RegExp(`^- ${name}`, 'm'));
    }
  });

  it('refuses a real bank without a real Stripe key', () => {
    expect(() => readConfig({ BANK_API_URL: 'https://bank.example', BANK_API_KEY: 'x' })).toThrow(/^- BANK_API_KEY/m);
  });
});

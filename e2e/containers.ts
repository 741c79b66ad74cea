// `npm run containers`: builds the images and tries docker-compose.demo.yml, and the refusals of docker-compose.yml, on the Docker daemon of
// this machine: the main job over HTTP with two apis and three workers, servers killed and replaced under load, and everything stopped
// and started again. Without a daemon it says so and ends.
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { execa } from 'execa';
import { nodeProgram, root } from '../infra/paths.ts';
import { freePort } from '../infra/ports.ts';
import { controlSandbox } from '../sandbox/testing/control-client.ts';
import { type Product, signIn } from './api-client.ts';
import { approve, hold, newPayer, untilCompleted } from './paid-transfer.ts';
import { until } from './until.ts';

const began = performance.now();
/** Of the demo accounts, which are public. */
const demoAdmin = { email: 'admin@chasqui.test', password: 'chasqui-demo-2026' };
const apis = 2;
const workers = 3;
/** Each brings one payment after another to its end while servers are replaced. */
const lanes = 4;
/** Files of integration tests that use PostgreSQL, Redis and sockets from containers. */
const testFiles = ['platform/queues', 'platform/live', 'platform/outbox', 'platform/database/database.test.ts'];

const scaled = ['--scale', `api=${apis}`, '--scale', `worker=${workers}`];

const project = `chasqui-try-${randomBytes(3).toString('hex')}`;
const folder = await mkdtemp(join(tmpdir(), `${project}-`));
const [port, sandboxPort, httpsPort] = [await freePort(), await freePort(), await freePort()];
const subnet = () => `10.${randomInt(100, 250)}.${randomInt(1, 250)}.0/24`;
const env = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), EDGE_SUBNET: subnet() };
/** Variables of the caller's shell must not affect the test. */
const names = [
  'PATH',
  'HOME',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'DOCKER_CONTEXT',
  'DOCKER_CERT_PATH',
  'DOCKER_TLS_VERIFY',
];
const inherited = Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** Calls docker, or docker compose where files are given, with no variables but these. */
function docker(argv: string[], given: Record<string, string> = env, files: string[] = [], name = project, input = '') {
  const own = ['compose', '--project-directory', root, '-p', name, '--env-file', '/dev/null'];
  const all = files.length === 0 ? argv : [...own, ...files.flatMap((file) => ['-f', file]), ...argv];
  return execa('docker', all, {
    cwd: root,
    env: { ...inherited, ...given },
    extendEnv: false,
    all: true,
    reject: false,
    input,
  });
}

const more = join(folder, 'more.yml');
const demo = ['docker-compose.demo.yml', more];
const real = ['docker-compose.yml'];

async function compose(...argv: string[]): Promise<string> {
  const { failed, all } = await docker(argv, env, demo);
  if (failed) throw new Error(`docker compose ${argv.join(' ')}:\n${all}`);
  return all ?? '';
}

const figures: [string, string][] = [];
function say(what: string, figure: string): void {
  figures.push([what, figure]);
  console.log(`${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${what}: ${figure}`);
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  say(what, `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
}

const url = `http://localhost:${port}`;
const sandboxUrl = `http://localhost:${sandboxPort}`;
const product: Product = { url: () => url, sandbox: controlSandbox(sandboxUrl) };

async function mainJob(): Promise<void> {
  const payer = await newPayer(product);
  const admin = await signIn(product.url, demoAdmin.email, demoAdmin.password);
  const id = await hold(payer, sandboxUrl);
  await approve(admin, id);
  await untilCompleted(payer, id);
}

/** Containers of a service, by their names. */
async function containersOf(service: string): Promise<string[]> {
  return (await compose('ps', '-q', service)).split('\n').filter((id) => id !== '');
}

const isHealthy = async (id: string): Promise<boolean> =>
  (await docker(['inspect', '-f', '{{.State.Health.Status}}', id])).stdout === 'healthy';

/** Pays in several lanes while `disturb` runs. Returns how many transfers were completed, and which calls failed. */
async function payDuring(disturb: () => Promise<void>): Promise<{ done: number; failures: string[] }> {
  const admin = await signIn(product.url, demoAdmin.email, demoAdmin.password);
  const people = await Promise.all(Array.from({ length: lanes }, () => newPayer(product)));
  const failures: string[] = [];
  let done = 0;
  let running = true;
  const usual = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const said = `${init?.method ?? 'GET'} ${String(input).replace(/[0-9a-f-]{36}/g, '…')}`;
    try {
      const answer = await usual(input, init);
      if (answer.status >= 500) failures.push(`${said}: ${answer.status}`);
      return answer;
    } catch (error) {
      failures.push(`${said}: ${(error as Error).message}`);
      throw error;
    }
  };
  /** As a browser and its person do: the same once more when nothing came back. */
  const again = (act: () => Promise<string>) => until('a call is answered', act, 180_000);
  try {
    const paying = people.map(async (payer, lane) => {
      for (let turn = 0; running; turn += 1) {
        const id = await again(() => hold(payer, sandboxUrl, `lane-${lane}-${turn}`));
        await approve(admin, id);
        await untilCompleted(payer, id);
        done += 1;
      }
    });
    await disturb().finally(() => {
      running = false;
    });
    await Promise.all(paying);
    // Refused approvals before the screening are not failures: those answers are below 500.
    return { done, failures };
  } finally {
    running = false;
    globalThis.fetch = usual;
  }
}

/** As a crash: the program ends, not the container, which is started again. */
const crash = (id: string) =>
  docker([
    'exec',
    id,
    'node',
    '-e',
    "for (const pid of require('fs').readdirSync('/proc')) try { if (pid > 1 && pid != process.pid && /dist\\/(api|worker)\\/main/.test(require('fs').readFileSync('/proc/' + pid + '/cmdline', 'utf8'))) process.kill(Number(pid), 'SIGKILL') } catch {}",
  ]);

/** As docs/operations.md says. */
async function upgrade(): Promise<void> {
  const replaceable = ['api', 'worker'];
  const old = (await Promise.all(replaceable.map(containersOf))).flat();
  for (const service of replaceable) {
    const image = `${project}-${service}`;
    const build = await docker(
      ['build', '-q', '-t', image, '-'],
      env,
      [],
      project,
      `FROM ${image}\nLABEL version=next\n`,
    );
    assert.ok(!build.failed, build.all);
  }
  const up = ['up', '-d', '--wait', '--no-deps', '--no-build'];
  await compose(
    ...up,
    '--no-recreate',
    '--scale',
    `api=${2 * apis}`,
    '--scale',
    `worker=${2 * workers}`,
    ...replaceable,
  );
  await compose(...up, ...scaled, ...replaceable);
  const left = (await Promise.all(replaceable.map(containersOf))).flat();
  assert.equal(left.length, apis + workers);
  assert.deepEqual(
    left.filter((id) => old.includes(id)),
    [],
  );
}

async function refusals(): Promise<void> {
  const passwords = { POSTGRES_PASSWORD: 'x', DATABASE_PASSWORD: 'y', REDIS_PASSWORD: 'z', ...env };
  const check = ['run', '--rm', '--no-deps', 'configuration'];
  for (const [files, given, expected] of [
    [[...demo, ...real], passwords, /docker-compose\.yml must not be given together with docker-compose\.demo\.yml/],
    [demo, { ...env, STRIPE_SECRET_KEY: 'sk_live_x' }, /- STRIPE_SECRET_KEY must be the sandbox's/],
    [real, env, /_PASSWORD is missing a value: .*docker-compose\.demo\.yml/],
    [real, passwords, /- BANK_API_URL is missing/],
    [real, { ...passwords, DEMO_PASSWORD: 'x' }, /- DEMO_PASSWORD must be empty/],
  ] as const) {
    const { failed, all } = await docker(check, given, [...files]);
    assert.ok(failed, `accepted: ${all}`);
    assert.match(all ?? '', expected);
  }
  say('installations that are mixed or not complete', 'refused by name, 5 of 5');
}

/** The proxy of a real installation, with self-signed certificates. */
async function encrypted(): Promise<void> {
  const given = {
    ...{ POSTGRES_PASSWORD: 'x', DATABASE_PASSWORD: 'y', REDIS_PASSWORD: 'z' },
    ...{ PUBLIC_URL: 'https://chasqui.example', PROXY_OPTIONS: 'local_certs', EDGE_SUBNET: subnet() },
    ...{ PUBLISH_HTTP: `127.0.0.1:${await freePort()}`, PUBLISH_HTTPS: `127.0.0.1:${httpsPort}` },
  };
  const own = (argv: string[]) => docker(argv, given, real, `${project}-tls`);
  try {
    const started = await own(['up', '-d', '--build', '--no-deps', 'proxy']);
    assert.ok(!started.failed, started.all);
    const issuer = await until('the proxy has a certificate', issuerOfProxy);
    assert.match(issuer, /Caddy Local Authority/);
    say('https of a real installation, with `local_certs`', issuer);
  } finally {
    await own(['down', '-v', '--rmi', 'local']);
  }
}

function issuerOfProxy(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { port: httpsPort, host: '127.0.0.1', servername: 'chasqui.example', rejectUnauthorized: false },
      () => {
        resolve(String(socket.getPeerCertificate().issuer.CN));
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

async function tryEverything(): Promise<void> {
  await writeFile(
    more,
    'services:\n  api:\n    environment:\n      CALL_LIMIT_FACTOR: "1000"\n      LIMIT_UNPAID_TRANSFERS: "100"\n  worker:\n    environment:\n      SWEEP_SECONDS: "5"\n',
  );
  await timed('images built', () => compose('build'));
  await refusals();
  await timed(`up with ${apis} apis and ${workers} workers, on empty volumes`, () =>
    compose('up', '-d', '--wait', ...scaled),
  );
  await timed('the main job', mainJob);
  const memory = await docker(['stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}']);
  for (const line of memory.stdout.split('\n').filter((one) => one.startsWith(project)))
    console.log(`         ${line}`);

  const killed = [...(await containersOf('api')), ...(await containersOf('worker'))];
  const crashes = await payDuring(async () => {
    for (const id of killed) {
      await crash(id);
      await until('it is healthy again', () => isHealthy(id), 300_000);
    }
  });
  say(
    `each of ${killed.length} servers killed while people pay`,
    `${crashes.done} transfers completed, ${crashes.failures.length} calls failed and were repeated`,
  );
  for (const failure of new Set(crashes.failures)) console.log(`         ${failure}`);

  const replaced = await payDuring(upgrade);
  say(
    'all servers replaced by those of another image while people pay',
    `${replaced.done} transfers completed, ${replaced.failures.length} calls failed`,
  );
  assert.deepEqual(replaced.failures, []);

  const payer = await newPayer(product);
  const id = await hold(payer, sandboxUrl);
  await timed('down and up again, with a card authorization held throughout', async () => {
    await compose('down');
    await compose('up', '-d', '--wait', ...scaled);
  });
  const admin = await signIn(product.url, demoAdmin.email, demoAdmin.password);
  await approve(admin, id);
  await untilCompleted(payer, id);
  say('the transfer whose card was held before', 'completed');
  await compose('down', '-v');
  await encrypted();
  await timed('integration tests with PostgreSQL and Redis from containers', async () => {
    const { failed, all } = await execa(
      nodeProgram,
      ['node_modules/vitest/vitest.mjs', 'run', '--project', 'integration', ...testFiles],
      {
        cwd: root,
        env: {
          TEST_SERVICES: 'containers',
          TESTCONTAINERS_RYUK_DISABLED: process.env.TESTCONTAINERS_RYUK_DISABLED ?? '',
        },
        all: true,
        reject: false,
      },
    );
    assert.ok(!failed, all);
    console.log(/Tests .*/.exec(all ?? '')?.[0] ?? '');
  });
}

/** Why nothing can be tried here; undefined: it can. */
async function obstacle(): Promise<string | undefined> {
  const daemon = await docker(['info', '--format', '{{.ServerVersion}}']).catch((error: Error) => ({
    failed: true,
    all: error.message,
  }));
  if (daemon.failed) return `no Docker daemon answers (${String(daemon.all).split('\n').at(-1)})`;
  const plugin = await docker(['compose', 'version', '--short']);
  return plugin.failed ? 'docker has no compose plugin' : undefined;
}

const reason = await obstacle();
if (reason) console.log(`Skipped: ${reason}.`);
else {
  try {
    await tryEverything();
    console.log(`\n${figures.map(([what, figure]) => `| ${what} | ${figure} |`).join('\n')}`);
  } catch (error) {
    console.error(error);
    console.error((await docker(['logs', '--tail', '60'], env, demo)).all);
    process.exitCode = 1;
  } finally {
    await docker(['down', '-v', '--remove-orphans', '--rmi', 'local'], env, demo);
  }
}
await rm(folder, { recursive: true, force: true });

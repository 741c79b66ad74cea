import { readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from './ports.ts';
import { type Checkout, copyCheckout, type StartedProduct } from './testing/checkout.ts';

const readyLine = 'Ctrl-C lo detiene todo.';
/** Servers whose supervisor is gone end after ten seconds at most (exit-with-parent.ts); busy processors are slow to start and end them. */
const orphanedMsMax = 20_000;

let checkout: Checkout;
let env: Record<string, string>;
let started: StartedProduct | undefined;

beforeAll(async () => {
  checkout = await copyCheckout();
  // The three ports are neighbours by default; here all are asked for.
  const [port, sandboxPort, smtpPort] = [await freePort(), await freePort(), await freePort()];
  env = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), SANDBOX_SMTP_PORT: String(smtpPort) };
});

afterEach(async () => {
  started?.interrupt();
  await started?.ended;
  started = undefined;
});

afterAll(() => checkout?.remove());

function npmStart(more: Record<string, string> = {}): StartedProduct {
  started = checkout.npmStart({ ...env, ...more });
  return started;
}

/** The lines it printed, without npm's own. */
function linesOf(product: StartedProduct): string[] {
  return product
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('> ') && !line.startsWith('npm '));
}

async function expectFailure(product: StartedProduct, message: RegExp) {
  expect(await product.ended).toBe(1);
  started = undefined;
  expect(linesOf(product).at(-1)).toMatch(message);
  expect(product.output()).not.toMatch(/^\s+at /m);
  expect(checkout.processes()).toEqual([]);
}

describe('the product below a folder that only its owner can enter', () => {
  it('npm start serves and prints addresses and accounts, and starts again after its supervisor was killed, and Ctrl-C leaves no process', async () => {
    const first = npmStart();
    await first.prints(readyLine);
    for (const text of ['demo@chasqui.test', 'admin@chasqui.test', '/ops/queues', `localhost:${env.SANDBOX_PORT}`]) {
      expect(first.output()).toContain(text);
    }
    const response = await fetch(`http://localhost:${env.PORT}/`);
    expect(await response.text()).toContain('id="content"');
    const ofFirst = checkout.processes();
    process.kill(first.supervisorPid(), 'SIGKILL');
    await first.ended;

    const second = npmStart();
    await second.prints(readyLine);
    await expect
      .poll(() => checkout.processes().filter(({ pid }) => ofFirst.some((process) => process.pid === pid)), {
        timeout: orphanedMsMax,
      })
      .toEqual([]);
    // What makes a second start fast: nothing is installed, created or compiled again.
    expect(second.output()).not.toMatch(/Creando la base de datos|Compilando|Instalando/);
    await expectRefusal(npmStart());
    started = second;
    second.interrupt();
    expect(await second.ended).toBe(0);
    expect(checkout.processes()).toEqual([]);
  }, 120_000);
});

/** Two supervisors of one checkout would stop each other's database. */
async function expectRefusal(product: StartedProduct) {
  expect(await product.ended).toBe(1);
  expect(linesOf(product).at(-1)).toMatch(/^Chasqui ya está en marcha desde esta carpeta \(proceso \d+\)/);
}

describe('a start that fails', () => {
  it('npm start ends with one message when the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(Number(env.PORT), '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())));
    await expectFailure(npmStart(), new RegExp(`^El puerto ${env.PORT} está ocupado: .*PORT=`));
  });

  it.each([
    [
      'nobody answers at DATABASE_URL',
      'postgresql://yo:secreto@127.0.0.1:1/chasqui',
      /127\.0\.0\.1:1\/chasqui.*ECONNREFUSED/,
    ],
    [
      'DATABASE_URL is no address of PostgreSQL',
      'mysql://yo:secreto@127.0.0.1/chasqui',
      /^DATABASE_URL no es una dirección de PostgreSQL/,
    ],
  ])('npm start ends with one message without the password when %s', async (_, DATABASE_URL, message) => {
    const product = npmStart({ DATABASE_URL });
    await expectFailure(product, message);
    expect(product.output()).not.toContain('secreto');
  });

  it('npm start ends with one message when Redis does not answer', async () => {
    await expectFailure(npmStart({ REDIS_URL: 'redis://127.0.0.1:1' }), /^No se puede usar el Redis de REDIS_URL/);
  });

  it('npm start ends with one message when a port is no number, or a live key is given alone', async () => {
    await expectFailure(npmStart({ PORT: 'tres mil' }), /^PORT debe ser un número de puerto/);
    await expectFailure(npmStart({ STRIPE_SECRET_KEY: 'sk_live_x' }), /^- [A-Z_]+ (must be|is missing)/);
  });

  it.each([
    ['a file of the database is missing', 'global/pg_control'],
    ['the folder holds no database any more', 'PG_VERSION'],
  ])('npm start ends with one message when %s', async (_, file) => {
    const path = join(checkout.home, 'postgres/data', file);
    await rename(path, `${path}.away`);
    try {
      await expectFailure(npmStart(), /^La base de datos de .* (está dañada|no arranca)/);
    } finally {
      await rename(`${path}.away`, path);
    }
    expect(await readFile(join(checkout.home, 'postgres/data/PG_VERSION'), 'utf8')).toMatch(/^\d+/);
  });
});

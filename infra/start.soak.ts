import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './ports.ts';
import { PostgresServer } from './postgres/server.ts';
import { type Checkout, copyCheckout, type StartedProduct } from './testing/checkout.ts';

const readyLine = 'Ctrl-C lo detiene todo.';
/** Servers whose supervisor is gone end after ten seconds at most (exit-with-parent.ts); busy processors are slow to start and end them. */
const orphanedMsMax = 20_000;

let checkout: Checkout;
let env: Record<string, string>;
let started: StartedProduct | undefined;

beforeAll(async () => {
  checkout = await copyCheckout();
  // The three ports are consecutive by default; here each is set.
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

it('npm start ends with one message when its database is damaged, and leaves no process', async () => {
  const damage = async (file: string, expectMessage: () => Promise<void>) => {
    const path = join(checkout.home, 'postgres/data', file);
    await rename(path, `${path}.away`);
    try {
      await expectMessage();
    } finally {
      await rename(`${path}.away`, path);
    }
  };
  await damage('global/pg_control', () =>
    expectFailure(npmStart(), /^La base de datos de .* (está dañada|no arranca)/),
  );
  const directory = join(checkout.home, 'postgres');
  await damage('PG_VERSION', () =>
    expect(PostgresServer.start({ directory })).rejects.toThrow(/^La base de datos de .* está dañada/),
  );
});

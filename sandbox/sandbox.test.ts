/** State survives restarts and SIGKILL, and never contains card numbers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { requestJson } from './testing/control-client.ts';
import { SandboxClient } from './testing/sandbox-client.ts';
import { stripeFor } from './testing/start-stripe.ts';
import { WebhookReceiver } from './testing/webhook-receiver.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function withClient<T>(options: object, use: (client: SandboxClient) => Promise<T>): Promise<T> {
  const client = await SandboxClient.start({ dataDir, ...options });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Starts the sandbox as a separate process from source; resolves when it is ready. */
async function spawnSandbox(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env.PATH ?? '', SANDBOX_PORT: '0', SANDBOX_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  for await (const chunk of child.stdout ?? []) {
    out += String(chunk);
    const line = out.split('\n').find((one) => one.includes('ready'));
    if (line) return { child, url: `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}` };
  }
  throw new Error(`The sandbox did not start: ${out}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exited) as [number | null];
  return code;
}

describe('the sandbox after a restart', () => {
  test('a restarted sandbox keeps objects, idempotency keys, clock, modes and scheduled tasks', async () => {
    const { held, waiting, key } = await withClient({}, async (client) => {
      await client.control('POST', '/clock/advance', { seconds: 3600 });
      await client.control('PUT', '/stripe/delivery_mode', { mode: 'hold' });
      const held = await client.pay('pm_card_visa');
      const waiting = await client.pay('pm_card_authenticationRequired');
      const key = { idempotencyKey: 'capture' };
      await client.stripe.paymentIntents.capture((await client.pay('pm_card_visa')).id, {}, key);
      return { held, waiting, key };
    });
    await withClient({}, async (client) => {
      expect((await client.stripe.paymentIntents.retrieve(held.id)).status).toBe('requires_capture');
      expect((await client.stripe.paymentIntents.retrieve(waiting.id)).status).toBe('requires_action');
      expect(await client.control('GET', '/clock')).toMatchObject({ offsetSeconds: 3600 });
      const state = await client.control<{ deliveryModes: { global: object } }>('GET', '/state');
      expect(state.deliveryModes.global).toMatchObject({ mode: 'hold' });
      await expect(client.stripe.paymentIntents.cancel(held.id, {}, key)).rejects.toMatchObject({ statusCode: 400 });
      await client.control('POST', '/clock/advance', { seconds: 8 * 86_400 });
      await client.idle();
      expect((await client.stripe.paymentIntents.retrieve(held.id)).status).toBe('canceled');
    });
  });

  test('a restarted sandbox delivers a pending event to the endpoint’s new address', async () => {
    const { held } = await withClient({ webhookUrl: 'http://127.0.0.1:9/webhook' }, async (client) => {
      const held = await client.pay('pm_card_visa');
      await client.idle();
      return { held };
    });
    const receiver = await new WebhookReceiver().open();
    await withClient({ webhookUrl: receiver.url }, async (client) => {
      await client.control('POST', '/clock/advance', { seconds: 10 });
      await receiver.until(({ types }) => types.length === 3);
    });
    await receiver.close();
    expect(receiver.received.map(({ event }) => (event.data.object as { id: string }).id)).toContain(held.id);
  });

  test('a reset of the sandbox deletes everything except the configuration of the environment', async () => {
    const receiver = await new WebhookReceiver().open();
    await withClient({ webhookUrl: receiver.url }, async (client) => {
      await client.control('PUT', '/stripe/delivery_mode', { mode: 'drop' });
      await client.pay('pm_card_visa');
      await client.control('POST', '/reset');
      expect((await client.stripe.paymentIntents.list()).data).toEqual([]);
      await client.intent();
      await receiver.until(({ received }) => received.length === 1);
    });
    await receiver.close();
  });
});

describe('the sandbox killed with SIGKILL', () => {
  test('a sandbox killed during payments keeps every payment it responded to and delivers every event', {
    timeout: 60_000,
  }, async () => {
    const receiver = await new WebhookReceiver().open();
    const kept: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { child, url } = await spawnSandbox({ SANDBOX_WEBHOOK_URL: receiver.url });
      const stripe = stripeFor(url);
      const enough = Promise.withResolvers<void>();
      const before = kept.length;
      const pay = async () => {
        const { id } = await stripe.paymentIntents.create({
          ...{ amount: 1_000, currency: 'eur', capture_method: 'manual', confirm: true },
          ...{ payment_method: 'pm_card_visa', allowed_payment_method_types: ['card'] },
        });
        if (kept.push(id) === before + 8) enough.resolve();
      };
      const customers = Array.from({ length: 4 }, async () => {
        for (;;) await pay();
      });
      await enough.promise;
      await end(child, 'SIGKILL');
      await Promise.allSettled(customers);
    }
    const { child, url } = await spawnSandbox({ SANDBOX_WEBHOOK_URL: receiver.url });
    const stripe = stripeFor(url);
    for (const id of kept) expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_capture');
    let intents = 0;
    for await (const { status, latest_charge } of stripe.paymentIntents.list({ limit: 100 })) {
      intents += 1;
      expect({ status, charged: latest_charge !== null }).toEqual({ status: 'requires_capture', charged: true });
    }
    const arrived = () => new Set(receiver.received.map(({ event }) => event.id)).size;
    await receiver.until(() => arrived() === intents * 3, 20_000);
    expect(await end(child, 'SIGTERM')).toBe(0);
    await receiver.close();
  });

  test('a webhook delivery in flight when the sandbox was killed is sent again', { timeout: 30_000 }, async () => {
    const receiver = await new WebhookReceiver().open();
    const { child, url } = await spawnSandbox({ SANDBOX_WEBHOOK_URL: receiver.url });
    await requestJson(url, 'PUT', '/sandbox/stripe/delivery_mode', { delayMs: 600 });
    await stripeFor(url).paymentIntents.create({ amount: 1_000, currency: 'eur' });
    await end(child, 'SIGKILL');
    expect(receiver.attempts).toBe(0);
    const again = await spawnSandbox({ SANDBOX_WEBHOOK_URL: receiver.url });
    await receiver.until(({ received }) => received.length === 1);
    await end(again.child, 'SIGTERM');
    await receiver.close();
  });
});

test('the sandbox neither stores nor logs card numbers', async () => {
  const lines: string[] = [];
  const { pino } = await import('pino');
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  await withClient({ log }, async (client) => {
    await client.confirmInBrowser(await client.intent(), '4242424242424242');
    await client.confirmInBrowser(await client.intent(), '4000000000009995', {
      'payment_method_data[card][cvc]': '9071',
    });
    await client.confirmInBrowser(await client.intent(), '4111111111111111');
  });
  const files = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name), 'latin1')));
  const kept = [...files, ...lines].join('\n');
  expect(kept).toContain('requires_capture');
  expect(kept).not.toMatch(/4242424242424242|4000000000009995|4111111111111111|[["]cvc["\]]/);
});

test('starting a sandbox on a port in use rejects', async () => {
  await withClient({}, async (client) => {
    await expect(SandboxClient.start({ port: client.sandbox.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('the control routes', () => {
  test('the control routes refuse pages of other origins', async () => {
    await withClient({}, async (client) => {
      const { id } = await client.pay('pm_card_visa');
      const reset = (headers: Record<string, string>) =>
        fetch(`${client.sandbox.url}/sandbox/reset`, { method: 'POST', headers });
      expect((await reset({ origin: 'https://evil.test' })).status).toBe(403);
      expect((await reset({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
      expect((await client.stripe.paymentIntents.retrieve(id)).status).toBe('requires_capture');
      expect((await reset({ origin: client.sandbox.url })).status).toBe(200);
    });
  });

  test('the control routes show payments without personal data', async () => {
    await withClient({}, async (client) => {
      const { id } = await client.pay('pm_card_visa', {
        receipt_email: 'persona@example.com',
        description: 'Para Juana',
        metadata: { transfer_id: 't-7', note: 'Juana' },
      });
      const view = await client.control('GET', `/stripe/payment_intents/${id}`);
      expect(view).toMatchObject({
        ...{ id, transferId: 't-7', status: 'requires_capture', amountCapturable: 10_000 },
        card: { brand: 'visa', last4: '4242' },
      });
      expect(JSON.stringify(view)).not.toMatch(/persona|Juana|secret/);
    });
  });

  test.each([
    ['POST', '/clock/advance', { seconds: -1 }, 400],
    ['POST', '/clock/advance', {}, 400],
    ['POST', '/faults', { kind: 'earthquake' }, 400],
    ['POST', '/faults', { kind: 'drop', path: '(' }, 400],
    ['PUT', '/stripe/delivery_mode', { mode: 'sometimes' }, 400],
    ['PUT', '/bank/mode', { rejectNext: 'all' }, 400],
    ['POST', '/stripe/events/evt_nothing/deliver', {}, 404],
    ['POST', '/stripe/deliveries/del_nothing/deliver', {}, 404],
    ['POST', '/stripe/payment_intents/pi_nothing/expire_hold', {}, 404],
    ['POST', '/stripe/payment_intents/pi_nothing/challenge', { outcome: 'complete' }, 404],
    ['GET', '/nothing', undefined, 404],
  ])('control route %s %s with %j responds %i', async (method, path, body, status) => {
    await withClient({}, async (client) => {
      const response = await fetch(`${client.sandbox.url}/sandbox${path}`, {
        method,
        ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
      });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    });
  });
});

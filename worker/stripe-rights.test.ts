import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '#platform/configuration/secrets';
import { createStripe } from '#platform/stripe';
import { checkStripeRights } from '#platform/stripe-rights';
import { startStripe, type TestStripe } from '../sandbox/testing/start-stripe.ts';

type Level = 'read' | 'write';

/** What Stripe calls the rights of docs/stripe-keys.md. */
const resources: Readonly<Record<string, string>> = {
  PaymentIntents: 'payment_intent',
  'Charges and Refunds': 'charge',
  Disputes: 'dispute',
  Files: 'file',
  Events: 'event',
  'Balance transaction sources': 'balance_transaction_source',
  Payouts: 'payout',
  'Radar early fraud warnings': 'early_fraud_warning',
  Reviews: 'review',
  'Crypto onramp': 'crypto_onramp',
};

/** The table of docs/stripe-keys.md: the level of each right, for api and worker. */
async function readTable(): Promise<{ right: string; api: string; worker: string }[]> {
  const page = await readFile(new URL('../docs/stripe-keys.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\w[\w ]*?) +\| (None|Read|Write) +\| (None|Read|Write) +\|/gm)];
  return rows.map(([, right = '', api = '', worker = '']) => ({ right, api, worker }));
}

let stripe: TestStripe;
let table: Awaited<ReturnType<typeof readTable>>;
beforeAll(async () => {
  stripe = await startStripe();
  table = await readTable();
});
afterAll(() => stripe.close());
beforeEach(() => stripe.clearFaults());

const secretKey = 'rk_test_restricted';

/** The rights that the table gives a server. */
function rightsOf(server: Server): Record<string, Level> {
  const given = table.filter((row) => row[server] !== 'None');
  return Object.fromEntries(given.map((row) => [resources[row.right], row[server].toLowerCase() as Level]));
}

/** Checks a key with these rights, as at the start of a server. */
async function check(server: Server, rights: Record<string, Level>, { sellsCrypto = true } = {}): Promise<void> {
  stripe.setAccount({ restrictedKeys: { [secretKey]: rights } });
  const configuration = { secretKey, apiUrl: stripe.origin, requestsPerSecond: null, sellsCrypto };
  await checkStripeRights(createStripe(configuration), server, configuration);
}

describe.each(['api', 'worker'] as const)('a restricted key of the %s', (server) => {
  it('with exactly the rights of the table is accepted', async () => {
    expect(table.map(({ right }) => right)).toEqual(Object.keys(resources));
    await check(server, rightsOf(server));
  });

  it('that lacks any one of them is refused with its name', async () => {
    for (const { right, [server]: level } of table) {
      if (level === 'None') continue;
      const { [resources[right] as string]: _, ...rest } = rightsOf(server);
      await expect(check(server, rest)).rejects.toThrow(`of the ${server} lacks the right "${right}"`);
    }
  });

  it('that has any other is refused with its name', async () => {
    for (const { right, [server]: level } of table) {
      if (level !== 'None') continue;
      const more = { ...rightsOf(server), [resources[right] as string]: 'read' as const };
      await expect(check(server, more)).rejects.toThrow(`of the ${server} must not have the right "${right}"`);
    }
  });

  it('needs no crypto right if no crypto is sold', async () => {
    const { crypto_onramp: _, ...rest } = rightsOf(server);
    await check(server, rest, { sellsCrypto: false });
    await check(server, rightsOf(server), { sellsCrypto: false });
  });

  it('about which Stripe does not answer is accepted', async () => {
    stripe.failNext({ kind: 'error', status: 500, path: '^/v1/', times: 100 });
    await check(server, {});
  });
});

it('the rights of a secret key are not checked: it has all of them', async () => {
  stripe.calls.length = 0;
  const configuration = { secretKey: 'sk_test_sandbox', apiUrl: stripe.origin, requestsPerSecond: null };
  await checkStripeRights(createStripe({ ...configuration, sellsCrypto: true }), 'worker', {
    ...{ secretKey: configuration.secretKey, sellsCrypto: true },
  });
  expect(stripe.calls).toEqual([]);
});

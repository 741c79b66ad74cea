import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

const COUNT = 230;
let client: SandboxClient;
const ids: string[] = [];
beforeAll(async () => {
  client = await SandboxClient.start();
  for (let amount = 1_000; ids.length < COUNT; amount += 1) ids.unshift((await client.intent({ amount })).id);
});
afterAll(() => client.close());

test('the SDK’s auto-pagination returns every object once, newest first', async () => {
  const seen: string[] = [];
  for await (const { id } of client.stripe.paymentIntents.list({ limit: 100 })) seen.push(id);
  expect(seen).toEqual(ids);
});

test('lists page forward with starting_after and backward with ending_before', async () => {
  const first = await client.stripe.paymentIntents.list();
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' });
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 10));
  const next = await client.stripe.paymentIntents.list({ limit: 5, starting_after: ids[9] as string });
  expect(next.data.map(({ id }) => id)).toEqual(ids.slice(10, 15));
  const before = await client.stripe.paymentIntents.list({ limit: 5, ending_before: ids[10] as string });
  expect(before.data.map(({ id }) => id)).toEqual(ids.slice(5, 10));
  expect(before.has_more).toBe(true);
  const last = await client.stripe.paymentIntents.list({ limit: 100, starting_after: ids[COUNT - 3] as string });
  expect(last).toMatchObject({ has_more: false, data: [{ id: ids[COUNT - 2] }, { id: ids[COUNT - 1] }] });
});

test.each([
  [{ limit: 0 }, { param: 'limit' }],
  [{ limit: 101 }, { param: 'limit' }],
  [{ starting_after: 'pi_nothing' }, { code: 'resource_missing', param: 'starting_after' }],
])('list parameters %j are refused', async (params, error) => {
  await expect(client.stripe.paymentIntents.list(params)).rejects.toMatchObject({ statusCode: 400, ...error });
});

test('events are filtered by type, several types, wildcard and time', async () => {
  const held = await client.pay('pm_card_visa');
  const types = async (params: object) => (await client.stripe.events.list(params)).data.map(({ type }) => type);
  expect(await types({ type: 'charge.succeeded' })).toEqual(['charge.succeeded']);
  expect(await types({ types: ['charge.succeeded', 'payment_intent.amount_capturable_updated'] })).toEqual([
    'payment_intent.amount_capturable_updated',
    'charge.succeeded',
  ]);
  expect(await types({ type: 'charge.*' })).toEqual(['charge.succeeded']);
  expect(await types({ created: { gt: held.created + 60 } })).toEqual([]);
  expect(await types({ created: { lt: held.created - 3600 } })).toEqual([]);
  expect(await types({ limit: 2, created: { gte: held.created } })).toHaveLength(2);
});

test('events are listed and shown for 30 days', async () => {
  const id = (await client.stripe.events.list({ limit: 1 })).data[0]?.id as string;
  const day = 86_400;
  await client.control('POST', '/clock/advance', { seconds: 29 * day });
  expect((await client.stripe.events.retrieve(id)).id).toBe(id);
  await client.control('POST', '/clock/advance', { seconds: 2 * day });
  await client.idle();
  await expect(client.stripe.events.retrieve(id)).rejects.toMatchObject({ statusCode: 404 });
  expect((await client.stripe.events.list({ limit: 100 })).data.map((event) => event.id)).not.toContain(id);
});

test('expand replaces ids by objects up to four levels deep and refuses other paths', async () => {
  const held = await client.pay('pm_card_visa');
  await client.stripe.paymentIntents.capture(held.id);
  const expand = ['latest_charge.balance_transaction.source', 'payment_method'];
  const intent = await client.stripe.paymentIntents.retrieve(held.id, { expand });
  expect(intent).toMatchObject({
    payment_method: { object: 'payment_method', card: { last4: '4242' } },
    latest_charge: { object: 'charge', balance_transaction: { source: { object: 'charge' } } },
  });
  const { data } = await client.stripe.paymentIntents.list({ limit: 1, expand: ['data.latest_charge'] });
  expect(data[0]?.latest_charge).toMatchObject({ object: 'charge' });
  const refused = (path: string) =>
    expect(client.stripe.paymentIntents.retrieve(held.id, { expand: [path] })).rejects.toMatchObject({
      statusCode: 400,
    });
  await refused('amount');
  await refused('latest_charge.nonsense');
  await refused('latest_charge.payment_intent.latest_charge.payment_intent.latest_charge');
});

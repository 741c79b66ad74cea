import { beforeAll, expect, test } from 'vitest';
import { parseRate, type Rate } from '#core/rates/rate';
import { hourMs } from '#core/time/time';
import type { Database } from '#platform/database/database';
import { createTestUser } from '../../testing/accounts.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, type TransferOverrides, testMoment, testTarget } from '../../testing/transfers.ts';
import { findApprovalRequest } from '../desk/desk-request.repository.ts';
import { setRate } from '../rates/set-rate.ts';
import { type DecisionPolicy, decide } from './decide.ts';

const fixture = useTransferFixture();
const rates = { everyMs: 2 * hourMs, pauseAfterMs: 24 * hourMs };
const policy: DecisionPolicy = {
  limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
  ...{
    screens: false,
    screeningWaitMs: 0,
    twoPersonsUsdMinor: 200_000n,
    newDeviceUsdMinor: 50_000n,
    prices: null,
    rates,
  },
};
let ana = '';
let luis = '';

beforeAll(async () => {
  [ana, luis] = (await Promise.all(
    ['Ana', 'Luis'].map(async (name) => (await createTestUser(fixture.database, { role: 'admin', name })).id),
  )) as [string, string];
  await publish('11.60', 'USD');
});

const publish = (rate: string, currency: 'EUR' | 'USD' = 'EUR', at = testMoment) =>
  fixture.database.transaction((em) => setRate(em, { currency, rate: parseRate(rate) as Rate, setById: ana, at }));

/** An authorized transfer of 100 EUR accepted at 13.38, which is Bs 1,291.17. */
async function held(overrides: Partial<TransferOverrides> = {}): Promise<string> {
  const { database, userId } = fixture;
  const id = crypto.randomUUID();
  await database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship, created_at)
     values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
    [id, userId],
  );
  const recipient = { id, target: testTarget };
  const opened = await database.transaction(async (em) =>
    openTestTransfer(em, { userId, takesBetterRate: true, recipient, ...overrides }),
  );
  await makeMove(database, opened.id, 'hold');
  return opened.id;
}

const approve = (
  transferId: string,
  adminId = ana,
  {
    database = fixture.database,
    at = testMoment,
    approvalRequestId,
    ...rules
  }: Partial<DecisionPolicy> & { database?: Database; at?: Date; approvalRequestId?: string | undefined } = {},
) =>
  decide(
    database,
    { transferId, decision: 'approve', adminId, approvalRequestId, reason: null, at },
    { ...policy, ...rules },
  );

const termsOf = async (id: string) => {
  const { transfer } = await fixture.everythingOf(id);
  const { rate, bolivianosMinor, acceptedRate, acceptedBolivianosMinor } = transfer;
  return {
    rate,
    bolivianosMinor,
    acceptedRate: acceptedRate ?? null,
    acceptedBolivianosMinor: acceptedBolivianosMinor ?? null,
  };
};
const accepted = { rate: 13_380_000n, bolivianosMinor: 129_117n, acceptedRate: null, acceptedBolivianosMinor: null };
const better = {
  ...{ rate: 13_500_000n, bolivianosMinor: 130_275n, acceptedRate: 13_380_000n, acceptedBolivianosMinor: 129_117n },
};

test('one approval raises the rate, and books and payout have the final amount while the card amount stays', async () => {
  await publish('13.50');
  const id = await held();
  expect(await approve(id)).toMatchObject({
    ...{ state: 'approved', amount: '100.00', fee: '3.50', rate: '13.50', amount_bs: '1302.75' },
    accepted: { rate: '13.38', bolivianos: '1291.17' },
  });
  expect(await termsOf(id)).toEqual(better);
  await makeMove(fixture.database, id, 'capture');
  await makeMove(fixture.database, id, 'pay_out', { payoutReference: 'BANK-1' });
  const { operations, postings, emails } = await fixture.everythingOf(id);
  const amounts = operations.map(({ kind, amountMinor, currency }) => [kind, amountMinor, currency]);
  expect(amounts).toContainEqual(['capture', 10_000n, 'EUR']);
  expect(amounts).toContainEqual(['payout', 130_275n, 'BOB']);
  expect(postings.filter(({ currency }) => currency === 'BOB').map(({ amountMinor }) => amountMinor)).toEqual([
    130_275n,
    130_275n,
  ]);
  expect(emails.find(({ kind }) => kind === 'transfer_paid')?.data).toMatchObject({
    ...{ bolivianos: '1302.75', better: { rate: '13.50', accepted: '13.38', gained: '11.58' } },
  });
});

test('the second of two approvals applies the rate at its time', async () => {
  await publish('13.40');
  const id = await held();
  const large = { twoPersonsUsdMinor: 1_000n };
  expect(await approve(id, ana, large)).toMatchObject({ state: 'in_review', rate: '13.38', accepted: null });
  await publish('13.50');
  const first = await findApprovalRequest(fixture.database.fork(), id);
  expect(await approve(id, luis, { ...large, approvalRequestId: first?.id })).toMatchObject({
    state: 'approved',
    rate: '13.50',
  });
  expect(await termsOf(id)).toEqual(better);
});

test.each([
  ['was not promised it', '13.50', { takesBetterRate: false }, {}],
  ['accepted a rate that is worse now', '13.20', {}, {}],
  ['accepted the same rate', '13.38', {}, {}],
  [
    'would get a rate that was not updated for a day',
    '13.50',
    {},
    { at: new Date(testMoment.getTime() + 25 * hourMs) },
  ],
])('a sender who %s keeps the accepted terms', async (_, rate, overrides, options) => {
  await publish(rate);
  const id = await held(overrides);
  expect(await approve(id, ana, options)).toMatchObject({ state: 'approved', accepted: null });
  expect(await termsOf(id)).toEqual(accepted);
});

test.each([
  ['better', '13.60', { ...better, rate: 13_600_000n, bolivianosMinor: 131_240n }],
  ['worse', '13.20', accepted],
])('a rate that becomes %s between reading and approval is the one that applies', async (_, rate, terms) => {
  await publish('13.50');
  const id = await held();
  let changes = 0;
  const database = new Proxy(fixture.database, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'transaction' || changes > 0) return typeof value === 'function' ? value.bind(target) : value;
      return async (work: Parameters<Database['transaction']>[0]) => {
        changes += 1;
        await publish(rate);
        return target.transaction(work);
      };
    },
  });
  expect(await approve(id, ana, { database })).toMatchObject({ state: 'approved' });
  expect(changes).toBe(1);
  expect(await termsOf(id)).toEqual(terms);
});

test('one of two concurrent approvals applies the better rate', async () => {
  await publish('13.50');
  const id = await held();
  const results = await Promise.allSettled([approve(id, ana), approve(id, luis)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await termsOf(id)).toEqual(better);
});

const raise = `rate = 13500000, bolivianos_minor = 130275, accepted_rate = rate, accepted_bolivianos_minor = bolivianos_minor`;
const refused: [string, string, Partial<TransferOverrides>?][] = [
  ['without the approval', raise],
  [
    'downwards',
    `state = 'approved', rate = 13000000, bolivianos_minor = 125450, accepted_rate = rate, accepted_bolivianos_minor = bolivianos_minor`,
  ],
  ['with other centavos than the rate gives', `state = 'approved', ${raise.replace('130275', '130274')}`],
  [
    'to a rate that was not published',
    `state = 'approved', ${raise.replace('13500000', '13510000').replace('130275', '130371')}`,
  ],
  ['without what was accepted', `state = 'approved', rate = 13500000, bolivianos_minor = 130275`],
  ['together with the amount of the card', `state = 'approved', amount_minor = 10001, net_minor = 9651, ${raise}`],
  ['by a promise that was not made', 'takes_better_rate = true', { takesBetterRate: false }],
  ['where it was not promised', `state = 'approved', ${raise}`, { takesBetterRate: false }],
];
test.each(refused)('the database refuses to change the terms %s', async (_, sql, overrides) => {
  await publish('13.50');
  const id = await held(overrides);
  const change = fixture.database
    .fork()
    .execute(`update transfer set ${sql}, version = version + 1 where id = ?`, [id]);
  await expect(change).rejects.toThrow(`the terms of transfer ${id} are frozen`);
});

test.each(['approve', 'capture'] as const)('the database rejects a second raise after %s', async (move) => {
  await publish('13.50');
  const id = await held();
  await approve(id);
  if (move === 'capture') await makeMove(fixture.database, id, 'capture');
  await publish('13.60');
  for (const state of ['in_review', 'approved', 'captured']) {
    const sql = `state = '${state}', rate = 13600000, bolivianos_minor = 131240`;
    const again = fixture.database.fork().execute(`update transfer set ${sql} where id = ?`, [id]);
    await expect(again).rejects.toThrow(`the terms of transfer ${id} are frozen`);
  }
});

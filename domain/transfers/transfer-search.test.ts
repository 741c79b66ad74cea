import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceOf } from '#core/transfers/reference';
import type { Database } from '#platform/database/database';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import {
  makeMove,
  openTestTransfer,
  type TransferOverrides,
  testMoment,
  testTarget,
  transferIn,
  wayTo,
} from '../../testing/transfers.ts';
import type { User } from '../accounts/account.repository.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { hideTarget } from '../personal-data/payout-target.ts';
import { attachPaymentIntent } from './move-transfer.ts';
import { windowOf } from './search-windows.ts';
import { Transfer } from './transfer.entity.ts';
import { readFigures } from './transfer-figures.repository.ts';
import { type AllTransfersSearch, findAllTransfers, findTransfers } from './transfer-search.repository.ts';

let testDatabase: TestDatabase;
let database: Database;
let sender: User;
let id: string;
const recipientId = randomUUID();

const paymentIntentId = 'pi_3QxYzAB2eZvKYlo2C0DfGhIj';
const target = {
  ...testTarget,
  name: 'Zacarías Peña Núñez',
  ci: '8877665 SC',
  phone: '+591 76543210',
  bankAccount: '4012-998877',
};

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  sender = await createTestUser(database, { name: 'Íñigo Quispe' });
  await database.fork().execute(
    `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
       created_at) values (?, ?, '', '', '', '', '', '', '', '', '', now())`,
    [recipientId, sender.id],
  );
  const overrides = { userId: sender.id, amountMinor: 123_456n, recipient: { id: recipientId, target } };
  ({ id } = await database.transaction(async (em) => openTestTransfer(em, overrides)));
  await database.transaction((em) => attachPaymentIntent(em, id, paymentIntentId, new Date()));
  await makeMove(database, id, 'hold', { cardBrand: 'visa', cardLast4: '1881' });
  for (const move of ['approve', 'capture'] as const) await makeMove(database, id, move);
  await makeMove(database, id, 'pay_out', { payoutReference: 'BU-0004817' });
  // Others, so that a search returning everything fails.
  await completeOther({ userId: sender.id });
  await completeOther({ userId: (await createTestUser(database)).id, amountMinor: 312_345_600n });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** The short numbers searched for, which may occur by chance in the random id of another transfer. */
const shortNumbers = ['1881', '8877', '1234'];
const hasShortNumber = (transferId: string) =>
  shortNumbers.some((number) => `${transferId} ${referenceOf(transferId)}`.includes(number));

async function completeOther(overrides: TransferOverrides): Promise<void> {
  let other: string;
  do {
    other = await database.transaction(async (em) => {
      const opened = openTestTransfer(em, overrides);
      // Discarded and opened again.
      if (hasShortNumber(opened.id)) em.clear();
      return opened.id;
    });
  } while (hasShortNumber(other));
  for (const move of wayTo('completed')) await makeMove(database, other, move);
}

const found = async (userId: string | null, search: string) =>
  (await findTransfers(database.fork(), userId, { search, limit: 10 })).rows.map((row) => row.id);

const searches: readonly [string, () => string][] = [
  ['its reference', () => referenceOf(id)],
  ['its reference with a space and in small letters', () => referenceOf(id).replace('TR', 'tr ')],
  ['the digits of its reference', () => referenceOf(id).slice(2)],
  ['the number that its receipt had once', () => `CHQ-${id.slice(0, 8).toUpperCase()}`],
  ['its id', () => id],
  ['its payment', () => paymentIntentId],
  ['the bank’s reference', () => 'BU-0004817'],
  ['the bank’s reference without its hyphen', () => 'bu0004817'],
  ['the recipient’s name without accents', () => 'zacarias PENA'],
  ['the recipient’s name with accents that it does not have', () => 'Zácarías'],
  ['the recipient’s CI', () => '8877665 SC'],
  ['the recipient’s account', () => '4012-998877'],
  ['the recipient’s account without its hyphen', () => '4012998877'],
  ['the end of the recipient’s account', () => '8877'],
  ['the recipient’s phone', () => '+591 76543210'],
  ['the recipient’s phone as a person spells it', () => '765 43-210'],
  ['the end of the card’s number', () => '1881'],
  ['the amount', () => '1.234,56'],
  ['the amount in English with its currency', () => 'EUR 1,234.56'],
  ['the amount without its cents', () => '1234'],
  ['the bolivianos', () => 'Bs 15.940,26'],
];

describe('a transfer is found', () => {
  test.each(searches)('by its sender and by admins under %s', async (_, search) => {
    expect(await found(sender.id, search())).toEqual([id]);
    expect(await found(null, search())).toEqual([id]);
  });

  test('by admins under the sender’s name without accents, but not by the sender', async () => {
    expect(await found(null, 'inigo quispe')).toHaveLength(2);
    expect(await found(sender.id, 'inigo quispe')).toEqual([]);
  });

  test.each([
    '1.234,57',
    '234,56',
    '23456',
    '9988.77',
    'pi_3QxYzAB2eZvKYlo2C0DfGhIx',
    'Zacaríaz',
    '59176543211',
    '%',
    '\\',
  ])('not under %s', async (search) => {
    expect(await found(null, search)).not.toContain(id);
  });
});

describe('the list of all transfers', () => {
  let other: string;
  let undecided: string;
  let stuck: string;
  const listed = async (query: Partial<AllTransfersSearch>, at = testMoment) =>
    (await findAllTransfers(database.fork(), { sender: other, limit: 10, ...query }, at)).rows.map((row) => row.id);

  beforeAll(async () => {
    ({ id: other } = await createTestUser(database, { phone: '+34 612-345-678' }));
    ({ id: undecided } = await transferIn(database, 'in_review', {
      userId: other,
      currency: 'USD',
      amountMinor: 5_000n,
    }));
    const recipient = { id: recipientId, target: { ...testTarget, bankName: 'Banco BISA' } };
    const paid = await transferIn(database, 'captured', { userId: other, amountMinor: 20_000n, recipient });
    await database.transaction(async (em) => {
      await openCase(em, { transferId: paid.id, reason: 'contradiction', at: testMoment });
    });
    stuck = paid.id;
  });

  const views: readonly [string, Partial<AllTransfersSearch>, () => string[]][] = [
    ['a sender', {}, () => [undecided, stuck]],
    ['what waits for a decision', { view: 'to_decide' }, () => [undecided]],
    ['what does not go on', { view: 'stuck' }, () => [stuck]],
    ['the day', { view: 'today' }, () => [undecided, stuck]],
    ['days, the last one included', { from: '2026-11-20', to: '2026-11-20' }, () => [undecided, stuck]],
    ['days before', { to: '2026-11-19' }, () => []],
    ['days after', { from: '2026-11-21' }, () => []],
    ['the currency', { currency: 'USD' }, () => [undecided]],
    ['the least amount, itself included', { least: 20_000n }, () => [stuck]],
    ['the most', { most: 19_999n }, () => [undecided]],
    ['the bank', { bank: 'Banco BISA' }, () => [stuck]],
    ['several at once', { bank: 'Banco BISA', view: 'to_decide' }, () => []],
    ['its sender’s phone', { search: '612 345 678' }, () => [undecided, stuck]],
  ];
  test.each(views)('is narrowed by %s', async (_, query, expected) => {
    expect(new Set(await listed(query))).toEqual(new Set(expected()));
  });

  test('lists overdue payouts and refunds older than a day as stuck', async () => {
    const { id: sender } = await createTestUser(database);
    const under = { captured: '', refunding: '', in_review: '', completed: '' };
    for (const state of Object.keys(under) as (keyof typeof under)[])
      ({ id: under[state] } = await transferIn(database, state, { userId: sender }));
    const stuckAt = (at: string) => listed({ sender, view: 'stuck' }, new Date(at));
    expect(await stuckAt('2026-11-21T15:00:00.000Z')).toEqual([]);
    expect(await stuckAt('2026-11-21T15:00:00.001Z')).toEqual([under.refunding]);
    // The delivery promise of `openTestTransfer`: 72 hours.
    expect(new Set(await stuckAt('2026-11-23T15:00:00.001Z'))).toEqual(new Set([under.captured, under.refunding]));
  });

  test('starts today at midnight in La Paz', async () => {
    expect(await listed({ view: 'today' }, new Date('2026-11-21T03:59:59Z'))).toHaveLength(2);
    expect(await listed({ view: 'today' }, new Date('2026-11-21T04:00:00Z'))).toEqual([]);
  });

  test('can be searched by a provider’s reference, by admins only', async () => {
    const [refund] = await database
      .fork()
      .execute<{ reference: string }[]>(
        'update operation set provider_reference = ? where transfer_id = ? returning provider_reference as reference',
        [`re_${randomUUID()}`, stuck],
      );
    const search = refund?.reference ?? '';
    expect(await listed({ search })).toEqual([stuck]);
    expect(await found(other, search)).toEqual([]);
  });

  test('has a count for each view', async () => {
    const { toDecide, stuck: cases, openedToday } = await readFigures(database.fork(), testMoment);
    const counted = async (view: 'to_decide' | 'stuck' | 'today') =>
      (await findAllTransfers(database.fork(), { view, limit: 100 }, testMoment)).rows.length;
    expect([toDecide, cases, openedToday]).toEqual([
      await counted('to_decide'),
      await counted('stuck'),
      await counted('today'),
    ]);
    expect(openedToday).toBeGreaterThan(toDecide);
  });

  test('is paged within its filters', async () => {
    const query = { sender: other, from: '2026-11-20', limit: 1 };
    const first = await findAllTransfers(database.fork(), query, testMoment);
    const second = await findAllTransfers(database.fork(), { ...query, cursor: first.nextCursor ?? '' }, testMoment);
    expect([...first.rows, ...second.rows].map((row) => row.id)).toHaveLength(2);
    expect(second.nextCursor).toBeNull();
  });
});

test('a transfer whose account and reference are corrected is found by the new and by the unchanged values', async () => {
  const { id: userId } = await createTestUser(database);
  const { id: corrected } = await transferIn(database, 'completed', { userId });
  const set = (sql: string) => database.fork().execute(`update transfer set ${sql} where id = ?`, [corrected]);
  await set("card_last4 = '7302', payout_reference = 'BU-0009001'");
  const target = hideTarget(database.fork(), corrected, { ...testTarget, name: 'Leandra Choque' });
  await set(`payout_target = '${JSON.stringify(target)}'`);
  await set("payout_reference = 'BU-0009002'");
  for (const search of ['leandra', '7302', 'bu0009002']) expect(await found(userId, search)).toEqual([corrected]);
  expect(await found(null, 'BU-0009001')).toEqual([]);
});

test('drafts that ended unpaid are in their sender’s list only with that filter, and admins see them all', async () => {
  const { id: userId } = await createTestUser(database);
  const states = ['awaiting_payment', 'expired', 'cancelled', 'failed', 'completed'] as const;
  const ids = await Promise.all(
    states.map(async (state) => [state, (await transferIn(database, state, { userId })).id] as const),
  );
  // Cancelled after it was paid.
  const paid = await transferIn(database, 'in_review', { userId });
  await makeMove(database, paid.id, 'withdraw');
  const listed = async (query: object) =>
    (await findTransfers(database.fork(), userId, { limit: 10, ...query })).rows.map((row) => row.id);
  const named = (...wanted: readonly string[]) => ids.flatMap(([state, one]) => (wanted.includes(state) ? one : []));
  expect(new Set(await listed({}))).toEqual(new Set([...named('awaiting_payment', 'failed', 'completed'), paid.id]));
  expect(await listed({ status: 'expired' })).toEqual(named('expired'));
  expect(new Set(await listed({ status: 'cancelled' }))).toEqual(new Set([...named('cancelled'), paid.id]));
  const all = (await findTransfers(database.fork(), null, { limit: 100 })).rows.map((row) => row.id);
  expect(all).toEqual(expect.arrayContaining(named(...states)));
});

test('transfers older than the newest thousands are found by every search and amount, page by page', async () => {
  const owner = await openDatabase(testDatabase.ownerUrl, { poolMax: 1 });
  // Triggers are off, because these rows are not searched.
  await owner.transaction(async (em) => {
    await em.execute('set local session_replication_role = replica');
    await em.execute(
      `insert into transfer select made.* from transfer as t cross join generate_series(1, 10001) as n cross join lateral
         jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'payment_intent_id', null,
           'created_at', t.created_at + n * interval '1 second')) as made where t.user_id = ? and t.id <> ?`,
      [sender.id, id],
    );
    // More senders with one name than a statement lists.
    await em.execute(
      `insert into app_user (id, email, name, city, role, password_hash, terms_accepted_at, created_at, email_verified_at)
       select gen_random_uuid(), 'inigo' || n || '@example.com', name, city, role, '!', now(), created_at, now()
       from app_user cross join generate_series(1, 101) as n where id = ?`,
      [sender.id],
    );
  });
  await owner.close();
  // A complete number that matches one of them is looked up in the transfers, and not in all texts.
  const [made] = await database
    .fork()
    .find(Transfer, { userId: sender.id }, { orderBy: { createdAt: 'desc' }, limit: 1 });
  for (const search of [made?.id ?? '', referenceOf(made?.id ?? '').toLowerCase()]) {
    expect(await found(sender.id, search)).toEqual([made?.id]);
    expect(await found(null, search)).toEqual([made?.id]);
    expect(await found(randomUUID(), search)).toEqual([]);
  }
  for (const search of searches.map(([, text]) => text()).filter((text) => !shortNumbers.includes(text))) {
    expect(await found(sender.id, search), search).toEqual([id]);
    expect(await found(null, search), search).toEqual([id]);
  }
  const amounts = async (query: Partial<AllTransfersSearch>) =>
    (await findAllTransfers(database.fork(), { limit: 10, ...query }, testMoment)).rows.map(({ id: one }) => one);
  for (const query of [
    ...[{}, { currency: 'EUR' } as const, { sender: sender.id }, { search: '1.234,56' }],
    ...[{ search: 'inigo quispe' }, { search: sender.email }],
  ]) {
    expect(await amounts({ least: 123_456n, most: 123_456n, ...query })).toEqual([id]);
  }
  expect(await amounts({ least: 123_456n, most: 123_456n, currency: 'USD' })).toEqual([]);
  const first = await findAllTransfers(database.fork(), { limit: 1, least: 123_456n, currency: 'EUR' }, testMoment);
  const second = await findAllTransfers(
    database.fork(),
    { limit: 10, least: 123_456n, currency: 'EUR', cursor: first.nextCursor ?? '' },
    testMoment,
  );
  expect(first.rows).toHaveLength(1);
  expect(new Set([...first.rows, ...second.rows].map((row) => row.amountMinor))).toEqual(
    new Set([312_345_600n, 123_456n]),
  );
});

test('pages of old matches are in order, however far apart they are', async () => {
  const ages = ['2 hours', '30 hours', '9 days', '9 days 1 minute', '100 days', '6 years', '20 years'];
  const recipient = { id: recipientId, target: { ...testTarget, name: 'Wenceslao Choque' } };
  const owner = await openDatabase(testDatabase.ownerUrl, { poolMax: 1 });
  const ids: string[] = [];
  for (const age of ages) {
    const { id: old } = await transferIn(database, 'completed', {
      userId: sender.id,
      amountMinor: 7_654_300n,
      recipient,
    });
    ids.push(old);
    await owner.transaction(async (em) => {
      await em.execute('set local session_replication_role = replica');
      const opened = 'created_at - ?::interval';
      await em.execute(`update transfer set created_at = ${opened} where id = ?`, [age, old]);
      await em.execute(
        'update transfer_search as s set opened_at = t.created_at from transfer as t where t.id = s.transfer_id and t.id = ?',
        [old],
      );
    });
  }
  await owner.close();
  for (const [search, userId] of [
    ['wenceslao', sender.id],
    ['wenceslao', null],
    ['76543.00', null],
  ] as const) {
    for (const limit of [1, 3, 7]) {
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await findTransfers(database.fork(), userId, { search, limit, ...(cursor && { cursor }) });
        pages.push(...page.rows.map((row) => row.id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(pages, `${search}, ${limit} at a time`).toEqual(ids);
    }
  }
});

test('time windows are stored as they are searched', async () => {
  for (const hours of [0.5, 5, 50, 500, 5_000]) {
    const since = new Date(testMoment.getTime() - hours * 3_600_000);
    const window = windowOf(since, testMoment);
    const inside = [window?.from, since, new Date(testMoment.getTime() - 1)];
    const outside = [new Date((window?.from.getTime() ?? 0) - 1)];
    for (const [moments, expected] of [
      [inside, true],
      [outside, false],
    ] as const) {
      for (const at of moments) {
        const [row] = await database
          .fork()
          .execute<{ found: boolean }[]>('select search_windows(?::timestamptz) && ?::int[] as found', [
            at,
            `{${window?.keys.join(',')}}`,
          ]);
        expect(row?.found, `${at?.toISOString()} in ${hours} hours`).toBe(expected);
      }
    }
  }
});

test('a complete stored number finds only its transfers, not texts that contain its digits by chance', async () => {
  const owner = await createTestUser(database);
  const of = (ci: string) => ({ id: recipientId, target: { ...testTarget, ci } });
  const { id: whole } = await transferIn(database, 'completed', { userId: owner.id, recipient: of('7766554') });
  const { id: chance } = await transferIn(database, 'completed', { userId: owner.id });
  await database.fork().execute("update transfer set payout_reference = 'BU-97766554' where id = ?", [chance]);
  for (const userId of [owner.id, null]) {
    expect(await found(userId, '7766554')).toEqual([whole]);
    expect(await found(userId, '97766554')).toEqual([chance]);
  }
});

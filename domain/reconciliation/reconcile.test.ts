import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Rate } from '#core/rates/rate';
import { hourMs, laPazDay } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { BookException as BookExceptionRow } from './book-exception.entity.ts';
import type { BookException } from './book-exception.repository.ts';
import { viewReconciliation } from './book-views.ts';
import { readCamt053 } from './camt053.ts';
import { readCsvStatement } from './csv-statement.ts';
import { findProfits, findTransferProfit } from './days.repository.ts';
import { askToAccept, decideBooks, explainException, proposeClosing } from './decide.ts';
import { exportCsv } from './export.repository.ts';
import { importStatement } from './import-sources.ts';
import { reconcile } from './reconcile.ts';

const fixture = usePaymentFixture();
const people = { ana: '', luis: '' };
/** The first day of the books: the day on which the test started. */
let day = '';

/** Transfers by their outcome. */
const ids: Record<string, string> = {};

/** Advances our clock, Stripe's and the bank's. */
function advance(ms: number): void {
  fixture.now = new Date(fixture.now.getTime() + ms);
  fixture.stripe.advanceClock(ms / 1000);
  fixture.bank.advanceClock(ms / 1000);
}

const exceptions = async (status: BookException['status'] = 'open') =>
  fixture.database.fork().find(BookExceptionRow, { status }, { orderBy: { cause: 'asc' } });
const overview = () => viewReconciliation(fixture.database.fork(), fixture.now);

beforeAll(async () => {
  people.ana = (await createTestUser(fixture.database, { role: 'admin', name: 'Ana' })).id;
  people.luis = (await createTestUser(fixture.database, { role: 'admin', name: 'Luis' })).id;
  // Noon in La Paz of the next day, so that all events are on one calendar day, whenever the test runs.
  const noon = Date.parse(`${laPazDay(new Date(Date.now() + 24 * hourMs))}T16:00:00Z`);
  advance(Math.ceil((noon - fixture.now.getTime()) / 1000) * 1000);
  day = laPazDay(fixture.now);
  for (const name of ['paid', 'refunded', 'disputed', 'dear', 'unlisted', 'doubled']) {
    ids[name] = await fixture.create({ state: 'captured', referenceRate: 13_650_000n as Rate });
    if (name !== 'refunded') await fixture.run(ids[name] as string, 'payout');
  }
  fixture.bank.setMode({});
  const intent = (name: string) => fixture.intentId(ids[name] as string);
  await fixture.stripe.sdk.refunds.create({ payment_intent: await intent('refunded') });
  await syncPayment(fixture.context, ids.refunded as string);
  const { id: disputeId } = fixture.stripe.openDispute(await intent('disputed'));
  await syncDisputes(fixture.context, ids.disputed as string);
  fixture.stripe.decideDispute(disputeId, 'lost');
  await syncDisputes(fixture.context, ids.disputed as string);
  fixture.stripe.differ({ kind: 'fee', payment_intent: await intent('dear'), by: 45 });
  fixture.stripe.differ({ kind: 'stripe_fee', amount: 200, currency: 'eur' });
  fixture.bank.differ({ kind: 'missing', externalId: ids.unlisted as string });
  fixture.bank.differ({ kind: 'doubled', externalId: ids.doubled as string });
  // Stripe only lists events before the time of the request.
  advance(60_000);
}, 60_000);

describe('a day of the books', () => {
  test('today’s movements are pending at the bank, and Stripe agrees except for a changed fee', async () => {
    await reconcile(fixture.context);
    expect((await exceptions()).map(({ cause }) => cause)).toEqual(['fee_changed']);
    // 45 centavos more than 2.9 % of 100.00 EUR and 30 cents.
    expect((await exceptions())[0]).toMatchObject({
      expectedMinor: -320n,
      actualMinor: -365n,
      differenceMinor: 0n,
      day,
    });
    expect(await fixture.openCases(ids.dear as string)).toEqual(['books_differ']);
  });

  test('the next morning the bank’s statement shows a duplicate payout, and after one more working day a missing one', async () => {
    advance(24 * hourMs);
    await reconcile(fixture.context);
    expect((await exceptions()).map(({ cause }) => cause)).toEqual(['fee_changed', 'payout_doubled']);
    // A weekend and a holiday may lie between.
    advance(5 * 24 * hourMs);
    await reconcile(fixture.context);
    await reconcile(fixture.context);
    expect((await exceptions()).map((one) => [one.cause, one.transferId, one.differenceMinor])).toEqual([
      ['fee_changed', ids.dear, 0n],
      ['payout_doubled', ids.doubled, -129_117n],
      ['payout_missing', ids.unlisted, 129_117n],
    ]);
  });

  test('the profit of a transfer is fee and margin less Stripe’s fee and losses, to the last cent', async () => {
    const profit = async (name: string) =>
      (await findTransferProfit(fixture.database.fork(), ids[name] as string))[0]?.profit;
    const { feeMinor, netMinor, rate, referenceRate } = await fixture.see(ids.paid as string);
    // By hand: the part of the net amount by which our rate is below the market's.
    if (referenceRate == null) throw new Error('the transfer was quoted without a reference');
    const margin = (netMinor * (referenceRate - rate)) / referenceRate;
    expect(margin).toBeGreaterThan(0n);
    const [fee, lost] = [320n, 10_000n];
    expect(await profit('paid')).toEqual({
      fee: feeMinor,
      margin,
      processor: -fee,
      loss: 0n,
      total: feeMinor + margin - fee,
    });
    expect(await profit('refunded')).toEqual({ fee: 0n, margin: 0n, processor: -fee, loss: 0n, total: -fee });
    const disputed = feeMinor + margin - fee - 1500n - lost;
    expect(await profit('disputed')).toEqual({
      fee: feeMinor,
      margin,
      processor: -fee - 1500n,
      loss: -lost,
      total: disputed,
    });
    const [ofDay, ...more] = await findProfits(fixture.database.fork(), { from: day, to: day });
    expect(more).toEqual([]);
    // Six charges, one of them dearer, a dispute, and a fee of the account.
    const processor = -(6n * fee + 45n + 1500n + 200n);
    expect(ofDay).toMatchObject({
      currency: 'EUR',
      profit: { fee: 5n * feeMinor, margin: 5n * margin, processor, loss: -lost },
    });
    expect(ofDay?.profit.total).toBe(5n * (feeMinor + margin) + processor - lost);
  });

  test('a statement is imported once, however it arrives, or rejected completely with line and reason', async () => {
    const at = fixture.now;
    const csv = (await fixture.context.bank.statement(day, 'csv')) as string;
    const known = { personId: people.ana, at };
    expect(await importStatement(fixture.database, { file: Buffer.from(csv), ...known })).toMatchObject({
      day,
      lines: 5,
      added: 0,
    });
    const xml = (await fixture.context.bank.statement(day, 'camt053')) as string;
    expect(await importStatement(fixture.database, { file: Buffer.from(xml), ...known })).toMatchObject({ added: 0 });
    expect(createHash('sha256').update(csv).digest('hex')).not.toBe(createHash('sha256').update(xml).digest('hex'));
    const problems: [string, string, number | null, RegExp][] = [
      ['a missing column', csv.replace('amount', 'sum'), 1, /columns are missing: amount/],
      ['a cell too few', csv.replace(/,ABONO A TERCEROS/, ''), 3, /Invalid Record Length/],
      ['no amount', csv.replace('-1291.17', '-1.291,17'), 3, /not an amount|Invalid Record Length/],
      [
        'another balance',
        csv.replace(/closing(.*),([\d.]+),,,,/, 'closing$1,1.00,,,,'),
        null,
        /the lines lead to a balance/,
      ],
      ['a line twice', csv.replace(/(entry.*\r\n)/, '$1$1'), 4, /appears twice/],
      ['cut off', xml.slice(0, -200), 33, /./],
      ['another currency in a line', xml.replace(/(<Ntry>\n.*?Ccy=")BOB/s, '$1USD'), 8, /an entry in USD/],
      ['an invalid date', xml.replace(`<BookgDt><Dt>${day}`, '<BookgDt><Dt>2026-02-30'), 8, /not a date/],
      ['a document type', xml.replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]>\n<Document'), 2, /document type/],
      ['an entry not paid', xml.replaceAll('<Ntry>', '<Wrong>').replaceAll('</Ntry>', '</Wrong>'), null, /balance/],
    ];
    const read = async (text: string) => (text.startsWith('<') ? readCamt053(text) : readCsvStatement(text));
    for (const [name, text, line, reason] of problems) {
      const refused = await read(text).catch((error) => error);
      expect([name, refused.name, refused.message]).toEqual([name, 'StatementProblem', expect.stringMatching(reason)]);
      if (name !== 'cut off') expect([name, refused.line]).toEqual([name, line]);
    }
    const changed = csv
      .replace(/-1291\.17/, '-1291.16')
      .replace(
        /closing(.*),(\d+)\.(\d\d),,,,/,
        (_, a, b, c) => `closing${a},${(Number(`${b}.${c}`) + 0.01).toFixed(2)},,,,`,
      );
    for (const [text, line, reason] of [
      [changed, null, /imported before/],
      [csv.replace('amount', 'sum'), 1, /columns are missing: amount/],
    ] as const) {
      await expect(importStatement(fixture.database, { file: Buffer.from(text), ...known })).rejects.toMatchObject({
        name: 'StatementProblem',
        line,
        message: expect.stringMatching(reason),
      });
    }
    await reconcile(fixture.context);
    expect(await exceptions()).toHaveLength(3);
  });

  test('a day with open exceptions cannot be closed, and two people end them', async () => {
    const { ana, luis } = people;
    const close = (adminId: string) => proposeClosing(fixture.database, { day, adminId, note: '', at: fixture.now });
    await expect(close(ana)).rejects.toMatchObject({
      code: 'day_not_closable',
      details: { refusals: ['exceptions_open'] },
    });
    advance(60_000);
    const [fee, doubled, missing] = (await exceptions()) as [BookException, BookException, BookException];
    const about = (one: BookException, adminId: string, note = 'Llamé al banco') => ({
      ...{ exceptionId: one.id, adminId, note, at: fixture.now },
    });
    await explainException(fixture.database, about(fee, ana, 'Tarjeta de otro continente'));
    expect(await fixture.openCases(ids.dear as string)).toEqual([]);
    await expect(askToAccept(fixture.database, about(fee, ana))).rejects.toMatchObject({ code: 'exception_decided' });
    for (const one of [doubled, missing]) {
      const { request } = await askToAccept(fixture.database, about(one, ana));
      await expect(askToAccept(fixture.database, about(one, luis))).rejects.toMatchObject({ code: 'request_pending' });
      const decide = (adminId: string) =>
        decideBooks(fixture.database, { requestId: request?.id ?? '', adminId, approve: true, at: fixture.now });
      await expect(decide(ana)).rejects.toMatchObject({ code: 'own_request' });
      // An admin may be the sender of the transfer.
      const { userId } = await fixture.see(one.transferId ?? '');
      await expect(decide(userId)).rejects.toMatchObject({ code: 'own_transfer' });
      await decide(luis);
      await expect(decide(luis)).rejects.toMatchObject({ code: 'already_decided' });
    }
    const lines = await fixture.database
      .fork()
      .execute(
        `select source, destination, amount_minor::int, day::text from settlement_posting where entry like 'write_off%' order by source`,
      );
    expect(lines).toEqual([
      { source: 'bank', destination: 'gain', amount_minor: 129_117, day },
      { source: 'loss', destination: 'bank', amount_minor: 129_117, day },
    ]);
  });

  test('two people close the day with Stripe, ledger and bank even, and it becomes immutable', async () => {
    const { ana, luis } = people;
    const propose = () => proposeClosing(fixture.database, { day, adminId: ana, note: 'Todo cuadra', at: fixture.now });
    await expect(propose()).rejects.toMatchObject({ details: { refusals: ['not_compared'] } });
    await reconcile(fixture.context);
    const proposed = await propose();
    const decide = (adminId: string, approve = true) =>
      decideBooks(fixture.database, { requestId: proposed.request?.id ?? '', adminId, approve, at: fixture.now });
    await expect(decide(ana)).rejects.toMatchObject({ code: 'own_request' });
    await decide(luis);
    const closed = (await overview()).days.find((one) => one.day === day);
    expect(closed).toMatchObject({ proposed_by: 'Ana', confirmed_by: 'Luis', refusals: [], request: null });
    expect(closed?.totals.map((one) => [one.side, one.currency, one.difference, one.unexplained])).toEqual([
      ['stripe', 'EUR', '0.00', '0.00'],
      ['bank', 'BOB', '0.00', '0.00'],
    ]);
    await expect(propose()).rejects.toMatchObject({ details: { refusals: ['closed'] } });
    const em = fixture.database.fork();
    const late = `insert into settlement_posting (entry, source, destination, amount_minor, currency, day, at)
      values ('stripe_payout:txn_late', 'bank', 'card_processor', 1, 'EUR', '${day}', now())`;
    await expect(em.execute(late)).rejects.toThrow(`the day ${day} is closed`);
    await expect(em.execute('update day_closing set profit = profit')).rejects.toThrow('permission denied');
    const forged = `insert into settlement_posting (entry, source, destination, amount_minor, currency, day, at)
      values ('fee:txn_forged', 'processor_fees', 'card_processor', 1, 'EUR', '2099-01-01', now())`;
    await expect(em.execute(forged)).rejects.toThrow('does not say what its reason says');
  });

  test('late Stripe entries of a closed day count for the next open one, and an unnecessary write-off is reversed', async () => {
    fixture.stripe.differ({ kind: 'doubled', payment_intent: await fixture.intentId(ids.paid as string) });
    await fixture.database.fork().execute(`update import_progress set until = until - interval '9 days'`);
    await reconcile(fixture.context);
    const [doubled] = await exceptions();
    expect(doubled).toMatchObject({ cause: 'charge_doubled', differenceMinor: 10_000n, transferId: ids.paid });
    expect((doubled?.day ?? '') > day).toBe(true);
    // The bank finally makes the missing payout.
    const later = laPazDay(fixture.now);
    fixture.bank.differ({ kind: 'extra', day: later, cents: -129_117, externalId: ids.unlisted as string });
    advance(24 * hourMs);
    await reconcile(fixture.context);
    expect((await exceptions()).map(({ cause }) => cause)).toEqual([
      ...['charge_doubled', 'payout_day_differs', 'payout_reference_differs'],
    ]);
    expect((await exceptions('settled')).map(({ cause }) => cause)).toEqual(['payout_missing']);
    expect(
      (await findTransferProfit(fixture.database.fork(), ids.unlisted as string)).find((one) => one.currency === 'BOB'),
    ).toMatchObject({
      profit: { loss: 0n },
    });
    const open = (await overview()).days.filter((one) => one.closed_at === null);
    expect(
      open.flatMap(({ totals }) => totals.map(({ unexplained }) => unexplained)).every((left) => left === '0.00'),
    ).toBe(true);
  });

  test('exports have a header with the zone, exact amounts, and no text that a spreadsheet would evaluate', async () => {
    const created = laPazDay((await fixture.see(ids.paid as string)).createdAt);
    const read = async (list: 'transfers' | 'postings' | 'profit' | 'exceptions') => {
      const from = list === 'transfers' ? created : day;
      const text = (await exportCsv(fixture.database, list, { from, to: laPazDay(fixture.now) }).toArray()).join('');
      return text.replace('\uFEFF', '').trimEnd().split('\r\n');
    };
    await fixture.database.fork().execute(`update book_exception set note = '=1+1' where cause = 'fee_changed'`);
    const zone = '(America/La_Paz, UTC-04:00)';
    const [transfers, postings, profit, found] = [
      await read('transfers'),
      await read('postings'),
      await read('profit'),
      await read('exceptions'),
    ];
    expect(transfers[0]).toContain(`transfer_id,"created_at ${zone}"`);
    expect(transfers).toHaveLength(1 + 6);
    const counts = await fixture.database
      .fork()
      .execute<{ count: number }[]>('select count(*)::int as count from ledger_line');
    expect(postings).toHaveLength(1 + (counts[0]?.count ?? 0));
    expect(profit[0]).toBe(`"day ${zone}",currency,fee,exchange_margin,processor_fees,losses,profit`);
    expect(profit[1]).toMatch(new RegExp(`^${day},BOB,0.00,0.00,0.00,0.00,0.00$`));
    expect(found.find((line) => line.includes('fee_changed'))).toContain(`-3.20,-3.65,0.00,EUR,explained,'=1+1,`);
  });
});

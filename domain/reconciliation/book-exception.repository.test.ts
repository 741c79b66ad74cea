import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Difference } from '#core/reconciliation/movement';
import { createTestUser } from '../../testing/accounts.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { testMoment, transferIn } from '../../testing/transfers.ts';
import { Email } from '../emails/email.entity.ts';
import { BookException } from './book-exception.entity.ts';
import { countOpen, findExceptionPage, recordDifferences } from './book-exception.repository.ts';
import { findBalances } from './days.repository.ts';
import { explainException } from './decide.ts';
import { exportCsv } from './export.repository.ts';

const fixture = useTransferFixture();
const day = '2026-11-20';
let admins: string[];

beforeAll(async () => {
  const [ana, luis] = await Promise.all(
    ['Ana', 'Luis'].map((name) => createTestUser(fixture.database, { role: 'admin', name })),
  );
  admins = [ana?.id ?? '', luis?.id ?? ''].sort();
});

const difference = (subject: string, changes: Partial<Difference> = {}): Difference => ({
  ...{ cause: 'bank_fee', side: 'bank', transferId: null, subject, reference: `BO ${subject}`, currency: 'BOB', day },
  ...{ expectedMinor: null, actualMinor: -250n, differenceMinor: -250n },
  ...changes,
});
const gap = { cause: 'bank_balance_gap', expectedMinor: 500n, actualMinor: 499n, differenceMinor: 0n } as const;
const record = (differences: readonly Difference[], minute: number, scope: readonly string[] | null = null) =>
  fixture.database.transaction((em) =>
    recordDifferences(em, differences, {
      ...{ scope: scope ?? { since: day }, closedUntil: null, at: new Date(testMoment.getTime() + minute * 60_000) },
    }),
  );
const written = () =>
  fixture.database.fork().find(Email, { kind: 'book_exceptions' }, { orderBy: { createdAt: 'asc', userId: 'asc' } });

test('exceptions without a transfer are e-mailed to every admin once, and those of one are left to its case', async () => {
  const found = [difference('1'), difference('2', gap)];
  await record(found, 0);
  const data = {
    found: 2,
    first: expect.arrayContaining([
      { cause: 'bank_fee', amount: '-2.50', currency: 'BOB', day, reference: 'BO 1' },
      { cause: 'bank_balance_gap', amount: null, currency: 'BOB', day, reference: 'BO 2' },
    ]),
  };
  expect((await written()).map(({ userId, data }) => ({ userId, data }))).toEqual(
    admins.map((userId) => ({ userId, data })),
  );
  // Found again, together with one of a transfer.
  const { id: transferId } = await transferIn(fixture.database, 'completed', { userId: fixture.userId });
  await record(found, 60);
  await record([difference('3', { cause: 'payout_doubled', transferId })], 61, [transferId]);
  expect(await written()).toHaveLength(2);
  await record([...found, difference('4', { cause: 'bank_debit_unknown' })], 120);
  expect((await written()).slice(2)).toMatchObject(admins.map((userId) => ({ userId, data: { found: 1 } })));
});

test('a page can be filtered by cause, and open ones are counted', async () => {
  await record([difference('a'), difference('b'), difference('c', gap)], 180);
  const page = async (cursor?: string) =>
    findExceptionPage(fixture.database.fork(), {
      status: 'open',
      cause: 'bank_fee',
      limit: 1,
      ...(cursor && { cursor }),
    });
  const first = await page();
  const second = await page(first.nextCursor ?? '');
  expect([...first.rows, ...second.rows].map(({ cause }) => cause)).toEqual(['bank_fee', 'bank_fee']);
  expect(second.nextCursor).toBeNull();
  // Together with the one of a transfer.
  expect(await countOpen(fixture.database.fork())).toBe(4);
});

test('an explained exception is settled once it is gone, so that later days can be closed', async () => {
  const { id: transferId } = await transferIn(fixture.database, 'completed', { userId: fixture.userId });
  const missing = difference('late', { cause: 'payout_missing', transferId, actualMinor: null, expectedMinor: 250n });
  const ofTransfer = async () => {
    const { rows } = await findExceptionPage(fixture.database.fork(), { status: 'decided', limit: 10 });
    return rows.filter((one) => one.transferId === transferId);
  };
  const explained = async () => {
    const balances = await findBalances(fixture.database.fork(), day);
    return balances.find(({ side }) => side === 'bank')?.explainedMinor;
  };
  await record([missing], 240, [transferId]);
  const exceptionId = (await fixture.database.fork().findOneOrFail(BookException, { transferId })).id;
  const note = 'El banco lo pone en el extracto de mañana.';
  await explainException(fixture.database, { exceptionId, adminId: admins[0] ?? '', note, at: testMoment });
  await record([missing], 300, [transferId]);
  expect(await ofTransfer()).toMatchObject([{ status: 'explained', note }]);
  expect(await explained()).toBe(-250n);
  await record([], 360, [transferId]);
  expect(await ofTransfer()).toMatchObject([{ status: 'settled', note, decidedById: admins[0] }]);
  expect(await explained()).toBe(0n);
});

test('an export reads only as many rows as its buffer holds, and none after it was aborted', async () => {
  const [from, rows, batch] = ['2025-03-04', 3000, 50];
  await fixture.database.fork().execute(
    `insert into book_exception (id, key, cause, side, reference, difference_minor, currency, day, found_at, status, version)
     select gen_random_uuid(), 'export ' || number, 'bank_fee', 'bank', 'BO ' || number, -1, 'BOB', ?, ?::timestamptz + number / 3 * interval '1 second',
       'settled', 1 from generate_series(1, ?) as number`,
    [from, testMoment, rows],
  );
  const forks = vi.spyOn(fixture.database, 'fork');
  onTestFinished(() => forks.mockRestore());
  const whole = (await exportCsv(fixture.database, 'exceptions', { from, to: from }, batch).toArray()).join('');
  const references = whole.match(/BO \d+/g);
  expect(new Set(references).size).toBe(rows);
  expect(references).toHaveLength(rows);
  const all = forks.mock.calls.length;
  forks.mockClear();
  const left = exportCsv(fixture.database, 'exceptions', { from, to: from }, batch);
  for await (const _ of left) break;
  await vi.waitFor(() => expect(left.destroyed).toBe(true));
  const before = forks.mock.calls.length;
  expect(before).toBeLessThan(all / 2);
  await fixture.database.fork().execute('select 1');
  await setImmediate();
  expect(forks.mock.calls.length).toBe(before + 1);
});

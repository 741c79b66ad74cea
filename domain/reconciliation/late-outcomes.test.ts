import { beforeAll, expect, test } from 'vitest';
import type { Difference } from '#core/reconciliation/movement';
import { dayMs, laPazDay } from '#core/time/time';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { BookException } from './book-exception.entity.ts';
import { recordDifferences } from './book-exception.repository.ts';
import { askToAccept, decideBooks } from './decide.ts';
import { importStatement } from './import-sources.ts';
import { compareBooks } from './reconcile.ts';

// Differences whose outcome is known late, or changes again.

const desk = useDeskFixture();
const { payments: fixture } = desk;
let paid = '';
beforeAll(async () => {
  paid = await fixture.create({ state: 'captured' });
  await fixture.run(paid, 'payout');
});

const open = (transferId: string | null) =>
  fixture.database.fork().find(BookException, { transferId, status: 'open' }, { orderBy: { cause: 'asc' } });

test('a written-off exception that was settled and is found again can be written off again', async () => {
  const doubled: Difference = {
    ...{
      cause: 'payout_doubled',
      side: 'bank',
      transferId: paid,
      subject: 'source 1',
      reference: null,
      currency: 'BOB',
    },
    ...{ day: laPazDay(fixture.now), expectedMinor: null, actualMinor: -250n, differenceMinor: -250n },
  };
  const record = (found: readonly Difference[]) =>
    fixture.database.transaction((em) =>
      recordDifferences(em, found, { scope: [paid], closedUntil: null, at: fixture.now }),
    );
  const lost = async () => {
    const [row] = await fixture.database.fork().execute<[{ sum: string }]>(
      `select coalesce(sum(case when source = 'loss' then amount_minor else -amount_minor end), 0)::text as sum
       from settlement_posting where transfer_id = ? and entry like 'write_off%'`,
      [paid],
    );
    return row.sum;
  };
  for (let round = 0; round < 3; round += 1) {
    await record([doubled]);
    const [one] = await open(paid);
    const about = { exceptionId: one?.id ?? '', adminId: desk.ana, note: 'Nadie lo devuelve', at: fixture.now };
    const { request } = await askToAccept(fixture.database, about);
    const agreed = { requestId: request?.id ?? '', adminId: desk.luis, approve: true, at: fixture.now };
    await decideBooks(fixture.database, agreed);
    expect(await lost()).toBe('250');
    await record([]);
    expect(await lost()).toBe('0');
  }
});

/** Imports yesterday's statement, with its lines in CSV. */
async function importYesterday(
  number: string,
  [opening, closing]: readonly [string, string],
  entries: readonly string[],
) {
  const day = laPazDay(new Date(fixture.now.getTime() - dayMs));
  const columns = 'record,statement,account,currency,date,line,amount,end_to_end_id,bank_reference,code,description';
  const rowOf = (record: string, rest: string) => `${record},${number},BO1,BOB,${day},${rest}`;
  const rows = [
    rowOf('opening', `,${opening},,,,`),
    ...entries.map((entry) => rowOf('entry', entry)),
    rowOf('closing', `,${closing},,,,`),
  ];
  const file = Buffer.from([columns, ...rows].join('\n'));
  await importStatement(fixture.database, { file, personId: desk.ana, at: fixture.now });
  await compareBooks(fixture.context);
}

test('a payout by hand reported after its statement was imported is found in it', async () => {
  const id = await desk.createRejected();
  const request = await desk.reserve(id);
  fixture.later(dayMs);
  await importYesterday('E1', ['2000.00', '708.83'], ['1,-1291.17,,BNB-991,,VENTANILLA']);
  expect((await open(null)).map(({ cause }) => cause)).toEqual(['bank_debit_unknown']);
  await desk.report(request);
  // Long enough for the payment to be missing.
  fixture.later(7 * dayMs);
  await importYesterday('E9', ['708.83', '708.83'], []);
  expect(await open(null)).toEqual([]);
  expect(await open(id)).toEqual([]);
});

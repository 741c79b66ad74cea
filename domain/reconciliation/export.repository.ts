import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { ExportList } from '#core/contracts/http/reconciliation';
import { formatMinor } from '#core/money/money';
import { formatRate, type Rate } from '#core/rates/rate';
import { daysBetween, shiftDay, startOfDay } from '#core/reconciliation/days';
import { laPazZone } from '#core/time/time';
import type { Database, EntityManager } from '#platform/database/database';
import { findProfits } from './days.repository.ts';

type Cell = string | number | null;
type Row = Record<string, string | null>;

/** An exported list: its columns, and the rows after the last batch. */
interface List {
  readonly columns: Readonly<Record<string, (row: Row) => Cell>>;
  readonly read: (em: EntityManager, range: Range, page: Batch) => Promise<Row[]>;
}
interface Batch {
  /** The last row of the previous batch. */
  readonly after: Row | null;
  readonly most: number;
}
interface Range {
  readonly from: string;
  readonly to: string;
}

const text = (name: string) => (row: Row) => safe(row[name] ?? null);
const amount = (name: string) => (row: Row) => (row[name] == null ? null : formatMinor(BigInt(row[name])));
const moment = (name: string) => (row: Row) => (row[name] == null ? null : inLaPaz(row[name]));
const zoned = (name: string) => `${name} (${laPazZone}, UTC-04:00)`;

/** Escapes text that a spreadsheet would treat as a formula. */
function safe(value: string | null): string | null {
  return value !== null && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/** "2026-11-21 10:00:00" of La Paz. */
function inLaPaz(utc: string): string {
  return new Date(Date.parse(utc) - 4 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

const times = ({ from, to }: Range) => [startOfDay(from), startOfDay(shiftDay(to, 1))] as const;
const beginning = '00000000-0000-0000-0000-000000000000';

const lists: Readonly<Record<ExportList, List>> = {
  transfers: {
    columns: {
      transfer_id: text('id'),
      [zoned('created_at')]: moment('created_at'),
      [zoned('paid_at')]: moment('paid_at'),
      state: text('state'),
      currency: text('currency'),
      amount: amount('amount_minor'),
      fee: amount('fee_minor'),
      rate: ({ rate }) => (rate == null ? null : formatRate(BigInt(rate) as Rate)),
      reference_rate: ({ reference_rate: rate }) => (rate == null ? null : formatRate(BigInt(rate) as Rate)),
      amount_bob: amount('bolivianos_minor'),
      returned: amount('returned_minor'),
      payment_intent: text('payment_intent_id'),
      bank_reference: text('payout_reference'),
      accepted_rate: ({ accepted_rate: rate }) => (rate == null ? null : formatRate(BigInt(rate) as Rate)),
      accepted_bob: amount('accepted_bolivianos_minor'),
    },
    read: (em, range, { after, most }) =>
      em.execute(
        `select id::text, created_at::text, paid_at::text, state, currency, amount_minor::text, fee_minor::text, rate::text,
           reference_rate::text, bolivianos_minor::text, returned_minor::text, payment_intent_id, payout_reference,
           accepted_rate::text, accepted_bolivianos_minor::text
         from transfer where created_at >= ? and created_at < ? and (created_at, id) > (?::timestamptz, ?::uuid)
         order by created_at, id limit ?`,
        [...times(range), after?.created_at ?? '-infinity', after?.id ?? beginning, most],
      ),
  },
  postings: {
    columns: {
      day: text('day'),
      [zoned('booked_at')]: moment('at'),
      transfer_id: text('transfer_id'),
      entry: text('entry'),
      line: text('line'),
      source: text('source'),
      destination: text('destination'),
      amount: amount('amount_minor'),
      currency: text('currency'),
    },
    read: (em, { from, to }, { after, most }) => {
      const position = [after?.at ?? '-infinity', after?.key ?? '', after?.entry ?? '', Number(after?.line ?? 0)];
      // Both parts in the overall order, each limited to the batch size.
      return em.execute(
        `select * from (
           (select at::text, transfer_id::text as key, transfer_id::text, entry, line::text, source, destination, amount_minor::text,
              currency, (at at time zone 'America/La_Paz')::date::text as day, at as moment, line as number
            from ledger_posting where at >= ? and at < ? and at >= ?::timestamptz
              and (at, transfer_id::text, entry, line) > (?::timestamptz, ?, ?, ?)
            order by ledger_posting.at, ledger_posting.transfer_id::text, ledger_posting.entry, ledger_posting.line limit ?)
           union all
           (select at::text, coalesce(transfer_id::text, ''), transfer_id::text, entry, '1', source, destination, amount_minor::text,
              currency, day::text, at, 1
            from settlement_posting where day between ?::date and ?::date
              and (at, coalesce(transfer_id::text, ''), entry, 1) > (?::timestamptz, ?, ?, ?)
            order by settlement_posting.at, coalesce(settlement_posting.transfer_id::text, ''), settlement_posting.entry limit ?)
         ) as lines order by moment, key, entry, number limit ?`,
        [...times({ from, to }), after?.at ?? '-infinity', ...position, most, ...[from, to, ...position, most], most],
      );
    },
  },
  profit: {
    columns: {
      [zoned('day')]: text('day'),
      currency: text('currency'),
      fee: amount('fee'),
      exchange_margin: amount('margin'),
      processor_fees: amount('processor'),
      losses: amount('loss'),
      profit: amount('total'),
    },
    read: async (em, range) =>
      (await findProfits(em, range)).map(({ day, currency, profit }) => ({
        ...{ day, currency, fee: `${profit.fee}`, margin: `${profit.margin}`, processor: `${profit.processor}` },
        ...{ loss: `${profit.loss}`, total: `${profit.total}` },
      })),
  },
  exceptions: {
    columns: {
      day: text('day'),
      [zoned('found_at')]: moment('found_at'),
      cause: text('cause'),
      source: text('side'),
      transfer_id: text('transfer_id'),
      reference: text('reference'),
      expected: amount('expected_minor'),
      actual: amount('actual_minor'),
      difference: amount('difference_minor'),
      currency: text('currency'),
      status: text('status'),
      note: text('note'),
      [zoned('decided_at')]: moment('decided_at'),
    },
    read: (em, { from, to }, { after, most }) =>
      em.execute(
        `select id::text, day::text, found_at::text, cause, side, transfer_id::text, reference, expected_minor::text, actual_minor::text,
           difference_minor::text, currency, status, note, decided_at::text
         from book_exception where day between ?::date and ?::date and (found_at, id) > (?::timestamptz, ?::uuid)
         order by found_at, id limit ?`,
        [from, to, after?.found_at ?? '-infinity', after?.id ?? beginning, most],
      ),
  },
};

/**
 * A list of a range of days, both included, as CSV. Rows are read in batches of `batchSize` while they are sent, one
 * statement per batch, so that no transaction waits for a slow reader.
 */
export function exportCsv(database: Database, list: ExportList, range: Range, batchSize = 1000): Readable {
  const { columns, read } = lists[list];
  async function* rows(): AsyncGenerator<Cell[]> {
    // Day by day, so that a batch only searches the rows of one day.
    for (const day of daysBetween(range.from, range.to)) {
      let after: Row | null = null;
      do {
        const batch: Row[] = await read(await database.reader(), { from: day, to: day }, { after, most: batchSize });
        for (const row of batch) yield Object.values(columns).map((cell) => cell(row));
        after = batch.length < batchSize ? null : (batch.at(-1) ?? null);
      } while (after);
    }
  }
  const csv = stringify({ header: true, columns: Object.keys(columns), bom: true, record_delimiter: 'windows' });
  // Reading ends with the download; an error on the way fails it.
  return pipeline(Readable.from(rows()), csv, () => {}) as unknown as Readable;
}

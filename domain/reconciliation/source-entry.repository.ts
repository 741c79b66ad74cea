import { randomUUID } from 'node:crypto';
import type { Stripe } from 'stripe';
import { shiftDay } from '#core/reconciliation/days';
import { laPazDay } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { BankStatement, ImportProgress, type StripeEntry } from './source-entry.entity.ts';
import type { Statement, StatementFormat } from './statement.ts';
import { StatementProblem } from './statement.ts';

export type { BankStatement, StripeEntry } from './source-entry.entity.ts';

/** Prevents days from being closed until the transaction of `em` ends. Returns the last closed day, or null. */
export async function holdOpenDays(em: EntityManager): Promise<string | null> {
  await em.execute(`select pg_advisory_xact_lock_shared(hashtext('day_closing'))`);
  return findClosedUntil(em);
}

/** The last closed day, or null. */
export async function findClosedUntil(em: EntityManager): Promise<string | null> {
  const [row] = await em.execute<{ day: string | null }[]>('select max(day)::text as day from day_closing');
  return row?.day ?? null;
}

/** The day an entry counts for: its day, or the first open one after that. */
export function openDayFor(happenedOn: string, closedUntil: string | null): string {
  return closedUntil !== null && happenedOn <= closedUntil ? shiftDay(closedUntil, 1) : happenedOn;
}

/** The stored fields of Stripe's balance transaction. */
export type NewStripeEntry = Omit<StripeEntry, 'transferId' | 'happenedOn' | 'day' | 'importedAt'> & {
  /** The transfer, if it is known by other means than its payment. */
  readonly transferId?: string;
};

/**
 * Inserts new Stripe entries, each with its transfer, in the transaction of `em`, and books Stripe's fees and payouts
 * to our bank. Returns how many were new.
 */
export async function insertStripeEntries(
  em: EntityManager,
  entries: readonly NewStripeEntry[],
  at: Date,
): Promise<number> {
  const closedUntil = await holdOpenDays(em);
  const rows = entries.map((entry) => {
    const happenedOn = laPazDay(entry.createdAt);
    return { ...plain(entry), happened_on: happenedOn, day: openDayFor(happenedOn, closedUntil) };
  });
  const [result] = await em.execute<{ count: number }[]>(
    `with given as (
       select g.* from jsonb_to_recordset(?::jsonb) as g (id text, kind text, type text, reporting_category text, source_id text,
         payment_intent_id text, amount_minor bigint, fee_minor bigint, currency text, description text, created_at timestamptz,
         available_on timestamptz, happened_on date, day date, transfer_id uuid)
     ), written as (
       insert into stripe_entry (id, kind, type, reporting_category, source_id, payment_intent_id, transfer_id, amount_minor, fee_minor,
         currency, description, created_at, available_on, happened_on, day, imported_at)
       select g.id, g.kind, g.type, g.reporting_category, g.source_id, g.payment_intent_id, coalesce(g.transfer_id, t.id), g.amount_minor, g.fee_minor, g.currency,
         g.description, g.created_at, g.available_on, g.happened_on, g.day, ?
       from given as g left join transfer as t on t.payment_intent_id = g.payment_intent_id
       on conflict (id) do nothing
       returning *
     ), kept as (
       select *, case when kind = 'stripe_fee' then fee_minor - amount_minor else fee_minor end as cost from written
     ), booked as (
       insert into settlement_posting (entry, transfer_id, source, destination, amount_minor, currency, day, at)
       select 'fee:' || id, transfer_id, case when cost > 0 then 'processor_fees' else 'card_processor' end,
         case when cost > 0 then 'card_processor' else 'processor_fees' end, abs(cost), currency, day, imported_at
       from kept where cost <> 0
       union all
       select 'stripe_payout:' || id, null, case when amount_minor < 0 then 'bank' else 'card_processor' end,
         case when amount_minor < 0 then 'card_processor' else 'bank' end, abs(amount_minor), currency, day, imported_at
       from kept where kind = 'stripe_payout' and amount_minor <> 0
     )
     select count(*)::int as count from written`,
    [JSON.stringify(rows), at],
  );
  return result?.count ?? 0;
}

function plain(entry: NewStripeEntry): Record<string, unknown> {
  return {
    ...{ id: entry.id, kind: entry.kind, type: entry.type, reporting_category: entry.reportingCategory },
    ...{ source_id: entry.sourceId, payment_intent_id: entry.paymentIntentId, currency: entry.currency },
    ...{ amount_minor: String(entry.amountMinor), fee_minor: String(entry.feeMinor), description: entry.description },
    ...{ created_at: entry.createdAt, available_on: entry.availableOn, transfer_id: entry.transferId ?? null },
  };
}

/** Converts Stripe's balance transaction. */
export function toStripeEntry(transaction: Stripe.BalanceTransaction): NewStripeEntry {
  const { id, type, reporting_category: category, amount, fee, currency, source } = transaction;
  const object = typeof source === 'object' && source !== null ? source : null;
  const intent = object && 'payment_intent' in object ? object.payment_intent : null;
  return {
    ...{ id, type, reportingCategory: category, amountMinor: BigInt(amount), feeMinor: BigInt(fee) },
    kind: kindOf(transaction),
    currency: currency.toUpperCase(),
    sourceId: object ? object.id : (source as string | null),
    paymentIntentId: typeof intent === 'string' ? intent : (intent?.id ?? null),
    description: transaction.description,
    createdAt: new Date(transaction.created * 1000),
    availableOn: new Date(transaction.available_on * 1000),
  };
}

function kindOf({ type, reporting_category: category }: Stripe.BalanceTransaction): StripeEntry['kind'] {
  switch (type) {
    case 'charge':
    case 'payment':
      return 'charge';
    case 'refund':
    case 'payment_refund':
      return 'refund';
    case 'refund_failure':
    case 'payment_failure_refund':
      return 'refund_return';
    case 'adjustment':
      return category === 'dispute' ? 'dispute' : category === 'dispute_reversal' ? 'dispute_return' : 'other';
    case 'stripe_fee':
    case 'stripe_fx_fee':
    case 'tax_fee':
      return 'stripe_fee';
    case 'payout':
    case 'payout_cancel':
    case 'payout_failure':
      return 'stripe_payout';
    default:
      return 'other';
  }
}

/** Up to when Stripe is imported, or null. */
export async function findStripeUntil(em: EntityManager): Promise<Date | null> {
  return (await em.findOne(ImportProgress, { source: 'stripe' }, { refresh: true }))?.until ?? null;
}

/** Records up to when Stripe is imported; never moves backwards. */
export async function noteStripeUntil(em: EntityManager, until: Date, at: Date): Promise<void> {
  await em.execute(
    `insert into import_progress (source, until, changed_at) values ('stripe', ?, ?)
     on conflict (source) do update set until = greatest(import_progress.until, excluded.until), changed_at = excluded.changed_at`,
    [until, at],
  );
}

/** When our first transfer was opened, or null. */
export async function findFirstTransferAt(em: EntityManager): Promise<Date | null> {
  const [row] = await em.execute<{ at: string | null }[]>('select min(created_at)::text as at from transfer');
  return row?.at ? new Date(row.at) : null;
}

/** The newest statements, or the one of a file. */
export function findStatements(
  em: EntityManager,
  where: { sha256?: string; since?: string },
): Promise<BankStatement[]> {
  const { sha256, since } = where;
  const wanted = { ...(sha256 && { sha256 }), ...(since && { day: { $gte: since } }) };
  return em.find(BankStatement, wanted, { orderBy: { day: 'asc', importedAt: 'asc' } });
}

/** The last day whose statement is imported, or null. */
export async function findBankUntil(em: EntityManager): Promise<string | null> {
  const [last] = await em.find(BankStatement, {}, { orderBy: { day: 'desc' }, limit: 1 });
  return last?.day ?? null;
}

const payment = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:-\d{1,9})?$/;

/**
 * Inserts a statement and its new lines, in the transaction of `em`. Returns the number of new lines.
 * @throws StatementProblem when a known line has changed.
 */
export async function insertStatement(
  em: EntityManager,
  statement: Statement,
  { format, sha256, personId, at }: { format: StatementFormat; sha256: string; personId: string | null; at: Date },
): Promise<number> {
  const closedUntil = await holdOpenDays(em);
  const { account, number, day, currency, openingMinor, closingMinor, lines } = statement;
  const id = randomUUID();
  await em.execute(
    `insert into bank_statement (id, account, number, day, currency, opening_minor, closing_minor, format, sha256, imported_by_id,
       imported_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, account, number, day, currency, String(openingMinor), String(closingMinor), format, sha256, personId, at],
  );
  const rows = lines.map((line) => ({
    ...{ line_reference: line.reference, amount_minor: String(line.amountMinor), external_id: line.externalId },
    ...{ bank_reference: line.bankReference, is_fee: line.isFee, description: line.description, happened_on: line.day },
    instructed_currency: line.instructedCurrency,
    transfer_id: payment.exec(line.externalId ?? '')?.[1] ?? null,
    day: openDayFor(line.day, closedUntil),
  }));
  const changed = await em.execute<{ line_reference: string }[]>(
    `select e.line_reference from bank_entry as e
     left join jsonb_to_recordset(?::jsonb) as g (line_reference text, amount_minor bigint, external_id text, happened_on date)
       on g.line_reference = e.line_reference
     where e.account = ? and e.statement_number = ?
       and (e.amount_minor, e.external_id, e.happened_on) is distinct from (g.amount_minor, g.external_id, g.happened_on) limit 1`,
    [JSON.stringify(rows), account, number],
  );
  if (changed[0]) {
    throw new StatementProblem(
      null,
      `the line ${changed[0].line_reference} was imported before and is missing or different now`,
    );
  }
  const [result] = await em.execute<{ count: number }[]>(
    `with written as (
       insert into bank_entry (id, statement_id, account, statement_number, line_reference, kind, transfer_id, external_id, bank_reference,
         amount_minor, currency, instructed_currency, description, happened_on, day, imported_at)
       select gen_random_uuid(), ?, ?, ?, g.line_reference,
         case when g.is_fee then 'bank_fee' when coalesce(t.id, o.transfer_id) is null then 'other'
           when g.amount_minor < 0 then 'payout' else 'payout_return' end,
         coalesce(t.id, o.transfer_id), g.external_id, g.bank_reference, g.amount_minor, ?, g.instructed_currency, g.description, g.happened_on,
         g.day, ?
       from jsonb_to_recordset(?::jsonb) as g (line_reference text, amount_minor bigint, external_id text, bank_reference text,
         is_fee boolean, description text, instructed_currency text, transfer_id uuid, happened_on date, day date)
       left join transfer as t on t.id = g.transfer_id
       left join lateral (
         select transfer_id from operation
         where provider = 'manual' and kind = 'payout' and provider_reference = g.bank_reference and t.id is null limit 1
       ) as o on true
       on conflict (account, statement_number, line_reference) do nothing
       returning 1
     ) select count(*)::int as count from written`,
    [id, account, number, currency, at, JSON.stringify(rows)],
  );
  return result?.count ?? 0;
}

import { endpoints } from '#core/contracts/http/endpoints';
import { paidStates } from '#core/transfers/states';
import { query } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

/** Data about all transfers together, in addition to the record of each. */
export interface Whole {
  /** The totals that the product keeps, such as `day 2026-11-22` and `sender <id>`; those of nothing left out. */
  readonly kept: ReadonlyMap<string, string>;
  /** The same totals, counted afresh from the transfers. */
  readonly counted: ReadonlyMap<string, string>;
  /** Ids of the open cases, as the desk lists them. */
  readonly onDesk: readonly string[];
  /** Ids of the open cases in the database. */
  readonly openCases: readonly string[];
  /** Transfers, and payment intents at Stripe and payments by the bank with the transfer each says it is for. */
  readonly transfers: readonly { id: string; intent: string | null }[];
  readonly intents: readonly { id: string; transferId: string | null }[];
  readonly payouts: readonly { externalId: string }[];
  /** The ledger's balance by currency. */
  readonly ledger: ReadonlyMap<string, bigint>;
}

interface Total {
  name: string;
  value: string;
}

const keptTotals = `
select 'day ' || day as name, concat_ws(' ', sum(paid_usd_minor), sum(completed), sum(rejected)) as value
  from transfer_day_total group by day having (sum(paid_usd_minor), sum(completed), sum(rejected)) <> (0, 0, 0)
union all
select 'sender ' || user_id, concat_ws(' ', paid_usd_minor, paid_count, last_paid_at) from sender_total`;

const countedTotals = `
select 'day ' || (coalesce(paid_at, created_at) at time zone 'America/La_Paz')::date as name, concat_ws(' ',
    coalesce(sum(usd_minor) filter (where state = any($1) and paid_at is not null), 0),
    count(*) filter (where state = 'completed'), count(*) filter (where state = 'rejected')) as value
  from transfer where (state = any($1) and paid_at is not null) or state in ('completed', 'rejected') group by 1
union all
select 'sender ' || user_id, concat_ws(' ', coalesce(sum(usd_minor) filter (where state = any($1)), 0),
    count(*) filter (where state = any($1)), max(paid_at))
  from transfer group by user_id having count(paid_at) > 0 or bool_or(state = any($1))`;

const ledgerBalances = `
select currency, sum(amount)::text as amount from (
  select account, currency, -amount_minor as amount from (select source as account, currency, amount_minor from ledger_posting) as s
  union all
  select destination, currency, amount_minor from ledger_posting) as lines group by currency`;

/** Reads the data about all transfers together from the product, Stripe and the bank. */
export async function readWhole({ databaseUrl, sandbox, admin }: TestApp): Promise<Whole> {
  const totals = async (sql: string, values: unknown[] = []) =>
    new Map((await query<Total>(databaseUrl, sql, values)).map(({ name, value }) => [name, value]));
  const ids = await query<{ id: string }>(databaseUrl, 'select id from desk_case where resolved_at is null');
  const ledger = await query<{ currency: string; amount: string }>(databaseUrl, ledgerBalances);
  return {
    kept: await totals(keptTotals),
    counted: await totals(countedTotals, [paidStates]),
    onDesk: await listDesk(admin),
    openCases: ids.map(({ id }) => id),
    transfers: await query(databaseUrl, 'select id, payment_intent_id as intent from transfer'),
    intents: await sandbox.intents(),
    payouts: await sandbox.payouts(),
    ledger: new Map(ledger.map(({ currency, amount }) => [currency, BigInt(amount)])),
  };
}

async function listDesk(admin: TestApp['admin']): Promise<string[]> {
  const ids: string[] = [];
  let query: { limit: number; cursor?: string } | null = { limit: 100 };
  while (query) {
    const page: { items: { id: string }[]; nextCursor: string | null } = await admin.call(endpoints.deskCases, {
      query,
    });
    ids.push(...page.items.map(({ id }) => id));
    query = page.nextCursor ? { limit: 100, cursor: page.nextCursor } : null;
  }
  return ids;
}

/** The problems of all transfers together. */
export function problemsOfWhole(whole: Whole): string[] {
  const { kept, counted, onDesk, openCases, transfers, intents, payouts, ledger } = whole;
  const problems: string[] = [];
  for (const name of new Set([...kept.keys(), ...counted.keys()])) {
    if (kept.get(name) !== counted.get(name))
      problems.push(`the total of ${name} is kept as ${kept.get(name)} and counted as ${counted.get(name)}`);
  }
  if (onDesk.toSorted().join() !== openCases.toSorted().join())
    problems.push(`the desk lists ${onDesk.length} cases, and ${openCases.length} are open`);
  for (const [currency, amount] of ledger)
    if (amount !== 0n) problems.push(`the ledger's ${currency} sum to ${amount}`);
  const intentOf = new Map(transfers.map(({ id, intent }) => [id, intent]));
  for (const { id, transferId } of intents) {
    if (intentOf.get(transferId ?? '') !== id)
      problems.push(`${id} is at Stripe for ${transferId}, which does not know it`);
  }
  for (const { externalId } of payouts) {
    if (!intentOf.has(externalId.slice(0, 36))) problems.push(`the bank paid ${externalId}, which is no transfer`);
  }
  return problems;
}

import type { CaseReason } from '#core/operations/desk-case';
import type { OperationKind, OperationStatus } from '#core/operations/operation';
import type { TransferState } from '#core/transfers/states';
import type { SandboxDispute, SandboxIntent, SandboxPayout } from '../../sandbox/testing/control-client.ts';
import { query } from '../ledger.ts';
import type { TestApp } from '../test-app.ts';

export interface OperationRecord {
  readonly kind: OperationKind;
  readonly sequence: number;
  readonly status: OperationStatus;
  readonly attempts: number;
  readonly amount: bigint;
  readonly returned: bigint;
  readonly reference: string | null;
  readonly error: string | null;
  /** Whether the books have an entry about a refund, be it reversed or not. */
  readonly booked: boolean;
  /** Whether it is a second payout: approved by two persons for a complaint, or for money that the bank returned. */
  readonly again: boolean;
  /** Whether it is about money that the bank returned. */
  readonly ofRest: boolean;
  /** Bolivianos whose share of the charge a refund returns, in centavos. */
  readonly rest: bigint;
}

/** All that the product, Stripe and the bank know of one transfer. Amounts in minor units. */
export interface TransferRecord {
  readonly id: string;
  readonly state: TransferState;
  readonly currency: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly net: bigint;
  readonly bolivianos: bigint;
  readonly voided: boolean;
  /** Returned money that covers a loss, in centavos. */
  readonly kept: bigint;
  /** The oldest first. */
  readonly history: { move: string | null; state: TransferState }[];
  /** Each kind in the order of its sequence. */
  readonly operations: OperationRecord[];
  readonly cases: { reason: CaseReason; open: boolean; byPerson: boolean; details: string | null }[];
  /** Balances by account and currency, such as `bank BOB`; none of them zero. */
  readonly books: Map<string, bigint>;
  readonly intent: SandboxIntent | null;
  readonly disputes: SandboxDispute[];
  /** Captures that Stripe reported. */
  readonly captures: number;
  /** The oldest first. */
  readonly payouts: SandboxPayout[];
}

interface Row {
  id: string;
  state: TransferState;
  currency: string;
  amount: string;
  fee: string;
  net: string;
  bolivianos: string;
  intent: string | null;
  voided: boolean;
  kept: string;
  history: TransferRecord['history'];
  operations:
    | (Omit<OperationRecord, 'amount' | 'returned' | 'rest'> & Record<'amount' | 'returned' | 'rest', string>)[]
    | null;
  cases: TransferRecord['cases'] | null;
  books: { account: string; amount: string }[] | null;
}

const rowsOf = `
select t.id, t.state, t.currency, t.amount_minor as amount, t.fee_minor as fee, t.net_minor as net,
  t.bolivianos_minor as bolivianos, t.payment_intent_id as intent, t.authorization_voided_at is not null as voided,
  t.rest_kept_minor::text as kept,
  (select json_agg(json_build_object('move', s.move, 'state', s.state) order by s.version)
    from transfer_step as s where s.transfer_id = t.id) as history,
  (select json_agg(json_build_object('kind', o.kind, 'sequence', o.sequence, 'status', o.status, 'attempts', o.attempts,
    'amount', o.amount_minor::text, 'returned', o.returned_minor::text, 'reference', o.provider_reference,
    'error', o.last_error, 'again', o.payout_target is not null, 'ofRest', o.rest_request_id is not null, 'rest', coalesce(o.rest_minor, 0)::text, 'booked', exists (select from ledger_posting as l where l.transfer_id = t.id
      and l.entry = case o.sequence when 1 then 'refund' else 'refund:' || o.sequence end and o.kind = 'refund')) order by o.kind, o.sequence)
    from operation as o where o.transfer_id = t.id) as operations,
  (select json_agg(json_build_object('reason', c.reason, 'open', c.resolved_at is null,
    'byPerson', c.resolved_by_id is not null, 'details', c.details) order by c.opened_at)
    from desk_case as c where c.transfer_id = t.id) as cases,
  (select json_agg(json_build_object('account', b.account || ' ' || b.currency, 'amount', b.amount::text)) from (
    select account, currency, sum(amount) as amount from (
      select source as account, currency, -amount_minor as amount from ledger_posting where transfer_id = t.id
      union all
      select destination, currency, amount_minor from ledger_posting where transfer_id = t.id
    ) as lines group by account, currency having sum(amount) <> 0) as b) as books
from transfer as t order by t.created_at, t.id`;

/** Reads every transfer from the product's database, from Stripe and from the bank. */
export async function readRecords({ databaseUrl, sandbox }: TestApp): Promise<TransferRecord[]> {
  const rows = await query<Row>(databaseUrl, rowsOf);
  const intents = new Map((await sandbox.intents()).map((intent) => [intent.id, intent]));
  const captures = countBy(await sandbox.events('&type=charge.captured'), ({ paymentIntent }) => paymentIntent ?? '');
  const payouts = Map.groupBy((await sandbox.payouts()).reverse(), ({ externalId }) => externalId.slice(0, 36));
  const disputes = Map.groupBy(await sandbox.disputes(), (dispute) => dispute.payment_intent);
  return rows.map(({ intent, ...row }) => ({
    ...row,
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    net: BigInt(row.net),
    bolivianos: BigInt(row.bolivianos),
    kept: BigInt(row.kept),
    operations: (row.operations ?? []).map((one) => ({
      ...one,
      amount: BigInt(one.amount),
      returned: BigInt(one.returned),
      rest: BigInt(one.rest),
    })),
    cases: row.cases ?? [],
    books: new Map((row.books ?? []).map(({ account, amount }) => [account, BigInt(amount)])),
    intent: (intent && intents.get(intent)) || null,
    disputes: disputes.get(intent ?? '') ?? [],
    captures: captures.get(intent ?? '') ?? 0,
    payouts: payouts.get(row.id) ?? [],
  }));
}

function countBy<Item>(items: Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** A transfer with all that is known of it, for a person who looks for what went wrong. */
export function describeRecord(record: TransferRecord): string {
  const plain = (_: string, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value instanceof Map ? Object.fromEntries(value) : value;
  return JSON.stringify(record, plain, 2);
}

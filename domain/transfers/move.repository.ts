import { createHash } from 'node:crypto';
import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import type { AuditKind } from '#core/audit/kinds';
import type { OperationKind } from '#core/operations/operation';
import { openStatuses, providerOf } from '#core/operations/operation';
import type { TieredLimits } from '#core/transfers/limits';
import type { TransferState } from '#core/transfers/states';
import { eventOfState } from '#core/webhooks/events';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { plainRow } from '#platform/database/plain-row';
import { noteDue, noteWritten, type OutboxRow } from '#platform/outbox/outbox';
import { currentRequestId } from '#platform/request-id';
import { currentTraceparent } from '#platform/telemetry/tracing';
import { type auditBy, auditedSql } from '../audit/audit.repository.ts';
import { mailedSql, type StepEmail } from '../notifications/step-emails.ts';
import { notifiedSql } from '../notifications/step-web-pushes.ts';
import { endedRequestsSql } from '../operations/desk-request.repository.ts';
import { signalOf } from '../operations/operation.repository.ts';
import { handledSql } from '../payments/stripe-event.repository.ts';
import { newestRateIdSql } from '../rates/rate.repository.ts';
import { deliveredSql } from '../webhooks/step-events.ts';
import { type PostingRow, payoutAccounts } from './ledger.repository.ts';
import { Transfer } from './transfer.entity.ts';
import { type TransferChanges, transferColumns } from './transfer.repository.ts';
import { roomFor, withinLimitsSql } from './transfer-figures.repository.ts';

// Changes of transfers, each one statement: the row, its history, what ends and begins with it, its entry, its push, its e-mail, its
// notifications on devices and its events for partners. Which
// change brings what is in move-transfer.ts.

/** A change of transfers and what it brings with it. */
export interface TransferChange {
  /** The name of the move or step in the history. */
  readonly name: string;
  readonly owner: string;
  /** The state it leads to, or null: it leaves the state as it is. */
  readonly to: TransferState | null;
  /** Whether the sender must have asked for a cancellation, or must not. */
  readonly cancelRequested?: boolean;
  /** Whether nobody may make it about a transfer of their own. */
  readonly notOwn?: boolean;
  /** Whether the limits of its sender must have room for it. */
  readonly limited?: boolean;
  /** Whether it handles the Stripe events that its rows name. */
  readonly handlesEvents?: boolean;
  /** What its rows were decided with that must be as it was read. */
  readonly asRead?: readonly (keyof AsRead)[];
  /** What must not be there: then more has to be done with it than one statement can. */
  readonly unless?: readonly (keyof typeof hindrances)[];
  /** Operations that end with it. One that succeeded without having been begun is written down as an operation of its own. */
  readonly ends?: Partial<Record<OperationKind, 'succeeded' | 'failed' | 'abandoned'>>;
  /** Operations that begin with it, unless one of the kind is open. */
  readonly opens?: readonly OperationKind[];
  /** The e-mail that tells its sender; once for each version of the transfer. */
  readonly email?: StepEmail;
  /** The kind of the entry that it leaves in the audit log; its rows say the rest. */
  readonly audits?: AuditKind;
}

/** What a change was decided with besides its transfer. */
export interface AsRead {
  /** The newest rate. */
  readonly newestRateId?: bigint | null;
  /** The version of the transfer's review, or null when it had none. */
  readonly reviewVersion?: number | null;
}

/** A transfer as it was read, and the columns that the change fills in. */
export interface ChangeRow extends AsRead {
  readonly read: Pick<Transfer, 'id' | 'version' | 'state'>;
  readonly columns: Omit<TransferChanges, 'state'>;
  /** Who makes the change, when a person does. */
  readonly actorId?: string | null;
  /** What a refund that begins with the change returns, in minor units; the whole amount unless given. */
  readonly refundMinor?: bigint | undefined;
  /** Stripe events that are handled by a change that handles events. */
  readonly eventIds?: readonly string[];
  /** The request that led to it; null: none. Where it is not given, the one that asks for the change. */
  readonly requestId?: string | null;
  /** The entry of a change that leaves one in the audit log. */
  readonly audit?: ReturnType<typeof auditBy>;
  /** The trace that asks for the change; what runs now unless given. */
  readonly traceparent?: string | undefined;
}

/** A transfer after its change. */
export interface Changed {
  readonly transfer: Transfer;
  /** Whether a case about it is open. */
  readonly hasCase: boolean;
  /** Whether it ended what waited for a second person. */
  readonly endedRequest: boolean;
}

/**
 * Makes one change of several transfers, in the transaction of `em` or with a commit of its own. Left out, with nothing written, are
 * those that are no longer as they were read: another transaction was first. All rows fill in the same columns. `limits`: those of a change
 * that is limited.
 */
export async function changeTransfers(
  em: EntityManager,
  change: TransferChange,
  rows: readonly ChangeRow[],
  { at, postings = [], limits }: { at: Date; postings?: readonly PostingRow[]; limits?: TieredLimits },
): Promise<Changed[]> {
  const columns = filledColumns(rows);
  const traceparent = currentTraceparent();
  const asked = rows.map(({ read: { id, version, state }, columns, ...rest }) => {
    return { requestId: currentRequestId(), traceparent, ...columns, id, version, state, ...rest };
  });
  const posts = postings.length > 0;
  const values = [toJson(asked), at, ...(limits ? [roomFor(limits, at)] : []), ...(posts ? [toJson(postings)] : [])];
  const changed = await runPrepared<ChangedRow>(em, statementOf(change, columns, posts), values);
  for (const provider of changed[0]?.opened ?? []) noteDue(em, signalOf[provider]);
  if (change.email && changed.length > 0) noteDue(em, 'step-emails-due');
  if (changed[0]?.delivers) noteDue(em, 'webhooks-due');
  if (changed[0]?.notifies) noteDue(em, 'step-notifications-due');
  // The names of a transfer that waits for a decision are checked (domain/review/screen-names.ts).
  if (changed.some(({ state }) => state === 'in_review')) noteDue(em, 'screenings-due');
  const traces = new Map(rows.flatMap(({ read, traceparent }) => (traceparent ? [[read.id, traceparent]] : [])));
  return changed.map((one) => {
    const {
      has_case: hasCase,
      ended_request: endedRequest,
      outbox,
      opened: _,
      delivers: __,
      notifies: ___,
      ...row
    } = one;
    notePushed(em, outbox, traces);
    // What a transaction reads again it has to see as changed.
    const transfer = em.isInTransaction() ? em.map(Transfer, row) : plainRow(em, Transfer, row);
    return { transfer, hasCase, endedRequest };
  });
}

/** What the statement of a change is called: changes of the same name can be made together. */
export function changeName(change: TransferChange, rows: readonly ChangeRow[]): string {
  return statementOf(change, filledColumns(rows), false).name;
}

function filledColumns(rows: readonly ChangeRow[]): Column[] {
  return columnNames.filter((name) => rows.some(({ columns }) => columns[name] !== undefined));
}

interface ChangedRow {
  state: TransferState;
  has_case: boolean;
  ended_request: boolean;
  /** Providers of the operations that began. */
  opened: (keyof typeof signalOf)[];
  /** Whether events for partners were written. */
  delivers: boolean;
  /** Whether notifications for devices were written. */
  notifies: boolean;
  outbox: Pushed;
}

/** What a statement wrote to the outbox, with its first row; see `pushedSql`. */
export type Pushed = (Pick<OutboxRow, 'id' | 'kind' | 'name' | 'data' | 'jobKey'> & { createdAt: string })[] | null;

/** Notes what a statement with `pushedSql` wrote to the outbox. `traces`: what led to the pushes of some transfers, when not what runs now. */
export function notePushed(em: EntityManager, outbox: Pushed, traces: ReadonlyMap<unknown, string> = new Map()): void {
  noteWritten(
    em,
    (outbox ?? []).map(({ createdAt, data, ...one }) => {
      const traceparent = traces.get(data.transferId);
      return {
        ...one,
        data: { ...data, ...(traceparent && { traceparent }) },
        runAt: null,
        createdAt: new Date(createdAt),
      };
    }),
  );
}

const toJson = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));

/** Columns a change may fill in, with their types. */
const columnTypes = {
  recipientId: 'uuid',
  payoutTarget: 'jsonb',
  estimatedDelivery: 'timestamptz',
  paymentIntentId: 'text',
  cardBrand: 'text',
  cardLast4: 'text',
  cardCountry: 'text',
  cardFingerprint: 'text',
  cardRisk: 'jsonb',
  paidAt: 'timestamptz',
  captureBefore: 'timestamptz',
  authorizationVoidedAt: 'timestamptz',
  decidedAt: 'timestamptz',
  decidedById: 'uuid',
  cancelRequestedAt: 'timestamptz',
  payoutStartedAt: 'timestamptz',
  reason: 'text',
  payoutReference: 'text',
  correctAccountBy: 'timestamptz',
  fraudWarning: 'text',
  fraudWarningId: 'text',
  returnedMinor: 'bigint',
  payoutReturnedMinor: 'bigint',
  paidAgainMinor: 'bigint',
  restPaidMinor: 'bigint',
  restRefundedMinor: 'bigint',
  restKeptMinor: 'bigint',
  restTo: 'text',
  receivedAt: 'timestamptz',
  questionStatus: 'text',
  rejectionCode: 'text',
  rate: 'bigint',
  bolivianosMinor: 'bigint',
  rateSince: 'timestamptz',
  referenceRate: 'bigint',
  markupBasisPoints: 'bigint',
  acceptedRate: 'bigint',
  acceptedBolivianosMinor: 'bigint',
} as const satisfies Record<keyof Omit<TransferChanges, 'state'>, string>;

type Column = keyof typeof columnTypes;
const columnNames = Object.keys(columnTypes) as Column[];

const naming = new UnderscoreNamingStrategy();
/** Texts of tables in code, never of a request. */
const literal = (text: string) => `'${text}'`;
const open = openStatuses.map(literal).join(', ');

/** What can be there of a transfer `t`. */
const hindrances = {
  case: 'select from desk_case where transfer_id = t.id and resolved_at is null',
  /** Its reminder has another transfer: only one of them is to be paid. */
  twinOfReminder: `select from repeat_reminder
    where user_id = t.user_id and cardinality(transfer_ids) > 1 and t.id::text = any(transfer_ids)`,
} as const;

const asReadSql: Readonly<Record<keyof AsRead, string>> = {
  newestRateId: `${newestRateIdSql} is not distinct from (m.row ->> 'newestRateId')::bigint`,
  reviewVersion: `(select version from review where transfer_id = t.id) is not distinct from (m.row ->> 'reviewVersion')::int`,
};

const statements = new Map<string, PreparedStatement>();

/** The statement of a change that fills in these columns. Its name is short, as PostgreSQL forgets what is longer than 63 bytes. */
function statementOf(change: TransferChange, columns: readonly Column[], posts: boolean): PreparedStatement {
  const bits = columns.reduce((sum, name) => sum + 2 ** columnNames.indexOf(name), 0);
  const { unless = [], email, limited, handlesEvents, asRead = [], audits } = change;
  const key = [
    change.name,
    bits.toString(16),
    ...unless,
    ...(posts ? ['posts'] : []),
    ...(email ? [email] : []),
    ...(limited ? ['limited'] : []),
    ...(handlesEvents ? ['handles'] : []),
    ...asRead,
    ...(audits ? ['audits'] : []),
  ].join('_');
  let statement = statements.get(key);
  if (!statement) {
    const digest = createHash('sha256').update(key).digest('hex').slice(0, 16);
    statement = { name: `${change.name}_${digest}`, text: sqlOf(change, columns, posts) };
    statements.set(key, statement);
  }
  return statement;
}

/** $1: the rows, $2: the moment, then the limits of a change that is limited, and lines of the ledger where it brings some. */
function sqlOf(change: TransferChange, columns: readonly Column[], posts: boolean): string {
  const { name, owner, to, cancelRequested, notOwn, limited, handlesEvents, asRead = [] } = change;
  const { unless = [], ends = {}, opens = [], email, audits } = change;
  const event = to && eventOfState[to];
  const notified = notifiedSql(name);
  const filled = columns.map((column) => ({
    column: naming.propertyToColumnName(column),
    field: literal(column),
    type: columnTypes[column],
  }));
  const sets = [
    ...(to ? [`state = ${literal(to)}`] : []),
    ...['version = t.version + 1', 'changed_at = $2'],
    ...filled.map(({ column, field, type }) => `${column} = ${valueSql('m.row', field, type)}`),
  ];
  const guards = [
    "t.id = (m.row ->> 'id')::uuid and t.version = (m.row ->> 'version')::int and t.state = m.row ->> 'state'",
    ...(cancelRequested === undefined ? [] : [`(t.cancel_requested_at is not null) = ${cancelRequested}`]),
    ...unless.map((hindrance) => `not exists (${hindrances[hindrance]})`),
    ...(limited ? ['t.user_id in (select user_id from within)'] : []),
    ...asRead.map((field) => asReadSql[field]),
    ...(notOwn ? ["t.user_id is distinct from (m.row ->> 'actorId')::uuid"] : []),
  ];
  const endings = Object.entries(ends) as [OperationKind, string][];
  const unasked = endings.filter(([, status]) => status === 'succeeded').map(([kind]) => kind);
  const parts = [
    ...(limited ? [withinLimitsSql] : []),
    `changed as (
       update transfer as t set ${sets.join(', ')}
       from jsonb_array_elements($1::jsonb) as m (row) where ${guards.join(' and ')}
       returning t.*, m.row as asked
     )`,
    steppedSql({ name, owner }),
    ...(to ? [endedRequestsSql] : []),
    // An insert of no lines fires the statement's triggers all the same.
    ...(posts ? [postedSql(limited ? '$4' : '$3')] : []),
    ...(endings.length > 0 ? [endedSql(endings)] : []),
    ...(unasked.length > 0 ? [unaskedSql(unasked)] : []),
    ...(ends.payout === 'succeeded' ? [paidOutSql] : []),
    ...(opens.length > 0 ? [openedSql(opens)] : []),
    ...(email ? [mailedSql(email)] : []),
    ...(event ? [deliveredSql(event)] : []),
    ...(notified ? [notified] : []),
    ...(handlesEvents ? [handledSql] : []),
    ...(audits ? [auditedSql(audits)] : []),
    pushedSql,
  ];
  return `with ${parts.join(', ')}
    select ${transferColumns}, exists (select from desk_case where transfer_id = changed.id and resolved_at is null) as has_case,
      ${pushedRowsSql} as outbox,
      ${opens.length > 0 ? 'array(select provider from opened)' : 'array[]::text[]'} as opened,
      ${to ? 'exists (select from ended_requests as e where e.transfer_id = changed.id)' : 'false'} as ended_request,
      ${event ? 'exists (select from delivered)' : 'false'} as delivers,
      ${notified ? 'exists (select from notified)' : 'false'} as notifies
    from changed`;
}

/** SQL: part of a `with` that writes the history of the transfers in `changed`, by who asked for it (`asked.actorId`); $2: the moment. */
export function steppedSql({ name, owner }: Pick<TransferChange, 'name' | 'owner'>): string {
  return `stepped as (
    insert into transfer_step (transfer_id, version, state, move, owner, actor_id, at)
    select id, version, state, ${literal(name)}, ${literal(owner)}, (asked ->> 'actorId')::uuid, $2 from changed
  )`;
}

/** SQL: part of a `with` that tells browsers of the transfers in `changed`, by which request (`asked.requestId`). */
export const pushedSql = `pushed as (
    insert into outbox (kind, name, data, created_at)
    select 'push', 'transfer-changed', jsonb_strip_nulls(jsonb_build_object('transferId', id, 'requestId', asked ->> 'requestId')),
      clock_timestamp() from changed
    returning *
  )`;

/** SQL: what `pushedSql` wrote, with the first row of a statement; for `notePushed`. */
export const pushedRowsSql = `case when row_number() over () = 1 then (select jsonb_agg(jsonb_build_object(
    'id', o.id::text, 'kind', o.kind, 'name', o.name, 'data', o.data, 'jobKey', o.job_key, 'createdAt', o.created_at
  )) from pushed as o) end`;

function postedSql(postings: string): string {
  return `posted as (
    insert into ledger_posting (transfer_id, entry, line, source, destination, amount_minor, currency, at)
    select id, p ->> 'entry', (p ->> 'line')::int, p ->> 'source', p ->> 'destination', (p ->> 'amountMinor')::bigint,
      p ->> 'currency', $2
    from changed join jsonb_array_elements(${postings}::jsonb) as p on (p ->> 'transferId')::uuid = id
  )`;
}

function valueSql(row: string, field: string, type: string): string {
  // JSON's null is no value.
  if (type === 'jsonb') return `nullif(${row} -> ${field}, 'null')`;
  return type === 'text' ? `${row} ->> ${field}` : `(${row} ->> ${field})::${type}`;
}

const refundMinor = "coalesce((changed.asked ->> 'refundMinor')::bigint, changed.amount_minor)";
const referenceFor = (kind: string) =>
  `case when ${kind} = 'payout' then changed.asked ->> 'payoutReference' else changed.payment_intent_id end`;

function endedSql(endings: readonly [OperationKind, string][]): string {
  const list = endings.map(([kind, status]) => `(${literal(kind)}, ${literal(status)})`).join(', ');
  return `ended as (
    update operation as o set status = e.status, next_attempt_at = null, changed_at = $2,
      provider_reference = coalesce(${referenceFor('o.kind')}, o.provider_reference)
    from changed, (values ${list}) as e (kind, status)
    where o.transfer_id = changed.id and o.kind = e.kind and o.status in (${open})
    returning o.transfer_id, o.kind, o.status, o.sequence, o.amount_minor
  )`;
}

/** Somebody did it without our asking. */
function unaskedSql(kinds: readonly OperationKind[]): string {
  return `unasked as (${insertSql(kinds, { status: 'succeeded', due: 'null', reference: referenceFor('k.kind') })}
    returning transfer_id, kind, status, sequence, amount_minor
  )`;
}

function openedSql(kinds: readonly OperationKind[]): string {
  return `opened as (${insertSql(kinds, { status: 'pending', due: '$2', reference: 'null' })}
      -- Without a payment intent there is nothing to void; attaching one asks for it should it be in the making.
      and (k.kind <> 'void' or changed.payment_intent_id is not null)
      and (k.kind <> 'refund' or ${refundMinor} > 0)
    returning provider
  )`;
}

/** Inserts operations of the kinds that none is open of. */
function insertSql(
  kinds: readonly OperationKind[],
  { status, due, reference }: { status: string; due: string; reference: string },
): string {
  const list = kinds.map((kind) => `(${literal(kind)}, ${literal(providerOf[kind])})`).join(', ');
  return `
    insert into operation (id, transfer_id, kind, sequence, idempotency_key, provider, status, attempts, next_attempt_at,
      provider_reference, traceparent, amount_minor, currency, returned_minor, created_at, changed_at, request_id)
    select gen_random_uuid(), changed.id, k.kind, n.sequence, k.kind || ':' || changed.id || ':' || n.sequence, k.provider,
      ${literal(status)}, 0, ${due}, ${reference}, changed.asked ->> 'traceparent',
      case k.kind when 'payout' then changed.bolivianos_minor when 'refund' then ${refundMinor} else changed.amount_minor end,
      case when k.kind = 'payout' then 'BOB' else changed.currency end, 0, $2, $2, changed.asked ->> 'requestId'
    from changed cross join (values ${list}) as k (kind, provider)
    cross join lateral (
      select coalesce(max(o.sequence), 0) + 1 as sequence,
        -- A refund of Stripe's dashboard returns what it returns, and ours the rest.
        coalesce(bool_or(o.status in (${open}) and not (
          o.kind = 'refund' and o.sent_at is null and o.provider_reference is not null)), false) as any_open
      from operation as o where o.transfer_id = changed.id and o.kind = k.kind
    ) as n
    where not n.any_open`;
}

const paidOutSql = `paid_out as (
    insert into ledger_posting (transfer_id, entry, line, source, destination, amount_minor, currency, at)
    select transfer_id, case when sequence = 1 then 'payout' else 'payout:' || sequence end, 1,
      ${literal(payoutAccounts.source)}, ${literal(payoutAccounts.destination)}, amount_minor, ${literal(payoutAccounts.currency)}, $2
    from (select * from ended union all select * from unasked) as paid
    where kind = 'payout' and status = 'succeeded' and amount_minor > 0
  )`;

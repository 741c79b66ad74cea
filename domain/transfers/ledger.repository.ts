import type { Currency } from '#core/money/money';
import type { DisputeBooking } from '#core/operations/dispute';
import { settledRest } from '#core/operations/rest-actions';
import { paidBy, shareOf } from '#core/transfers/rest';
import type { TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import type { Operation } from '../provider-calls/operation.repository.ts';
import { findOperations } from '../provider-calls/operation.repository.ts';
import { Posting } from './posting.entity.ts';
import type { Transfer } from './transfer.repository.ts';

/**
 * Accounts of the ledger. Money enters from `card_processor` (which owes us the charges) and leaves to `bank`; in
 * between it is held in our accounts. An exchange is two legs through `exchange`; the fee is a separate line.
 * `refund_due` is our debt to senders being refunded, `disputed` the amounts withdrawn by card banks in undecided
 * disputes, `loss` the amounts returned to senders after the payout or beyond the charge, and payouts beyond the
 * promised amount.
 */
export type Account =
  | 'card_processor'
  | 'sender_funds'
  | 'fee_income'
  | 'exchange'
  | 'payout_due'
  | 'bank'
  | 'refund_due'
  | 'disputed'
  | 'loss';

interface Line {
  readonly source: Account;
  readonly destination: Account;
  readonly amountMinor: bigint;
  readonly currency: Currency;
}

/** States in which the exchange and the fee are reversed: the whole amount is, or was, owed to the sender. */
export const unwoundStates: readonly TransferState[] = ['refunding', 'refunded'];

/**
 * Books the charge of a card. Here and below: the primary key rejects a duplicate entry, and the database rejects the
 * commit when the books do not match the transfer's state and operations.
 */
export function postCharge(em: EntityManager, transfer: Transfer, at: Date): void {
  const { currency, amountMinor } = transfer;
  const charge: Line = { source: 'card_processor', destination: 'sender_funds', amountMinor, currency };
  post(em, { transferId: transfer.id, entry: 'charge', at }, [charge, ...distribution(transfer)]);
}

/** The distribution of a charge: the fee is ours, the rest is exchanged and due to the recipient. */
function distribution({
  currency,
  feeMinor,
  netMinor,
  bolivianosMinor,
}: Pick<Transfer, 'currency' | 'feeMinor' | 'netMinor' | 'bolivianosMinor'>): Line[] {
  return [
    { source: 'sender_funds', destination: 'fee_income', amountMinor: feeMinor, currency },
    { source: 'sender_funds', destination: 'exchange', amountMinor: netMinor, currency },
    { source: 'exchange', destination: 'payout_due', amountMinor: bolivianosMinor, currency: 'BOB' },
  ];
}

/**
 * Ledger postings that turn a charge into a refund liability: exchange and fee are reversed. Earlier refunds booked as
 * a loss are deducted. Returns the amount still owed, in minor units.
 */
export async function postUnwind(em: EntityManager, transfer: Transfer, at: Date): Promise<bigint> {
  const { returned, settled } = await backWithSender(em, transfer);
  const key = { ...(await numbered(em, transfer, 'unwind')), at };
  post(em, key, unwindLines(transfer, { returned, settled }));
  return transfer.amountMinor - returned;
}

/** Reverses `postUnwind`: the payout had been made, so what was returned to the sender is a loss. */
export async function postRewind(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  const lines = unwindLines(transfer, await backWithSender(em, transfer));
  post(em, { ...(await numbered(em, transfer, 'rewind')), at }, lines.map(reversed).reverse());
}

/** Books that a payout arrived. */
export function postPayout(em: EntityManager, transfer: Transfer, operation: Operation, at: Date): void {
  post(em, entryOf('payout', transfer, operation, at), [payoutLine(operation.amountMinor)]);
}

/** The key of the next entry with a name; from the second one on it has its number. */
async function numbered(em: EntityManager, { id: transferId }: Transfer, name: string): Promise<Omit<EntryKey, 'at'>> {
  const postings = await em.find(Posting, { transferId, line: 1, entry: { $like: `${name}%` } });
  return { transferId, entry: postings.length === 0 ? name : `${name}:${postings.length + 1}` };
}

/** The amount returned to the sender, in minor units, and the settled part of the rest, in centavos. */
async function backWithSender(em: EntityManager, transfer: Transfer): Promise<{ returned: bigint; settled: bigint }> {
  const operations = await findOperations(em, transfer.id, 'refund');
  return {
    returned: await returnedBy(em, transfer),
    settled: settledRest({ keptMinor: transfer.restKeptMinor, operations }),
  };
}

/** The settled part of the rest was already reversed when it was settled. */
function unwindLines(transfer: Transfer, { returned, settled }: { returned: bigint; settled: bigint }): Line[] {
  const { currency, amountMinor, netMinor, bolivianosMinor } = transfer;
  const share = shareOf(transfer, settled);
  const exchanged = { ...transfer, netMinor: netMinor - share, bolivianosMinor: bolivianosMinor - settled };
  const lost = returned - excess(transfer, returned) - share;
  return [
    ...distribution(exchanged).map(reversed).reverse(),
    { source: 'sender_funds', destination: 'refund_due', amountMinor: amountMinor - share, currency },
    signed({ source: 'refund_due', destination: 'loss', amountMinor: lost, currency }),
  ];
}

/** The amount returned to the sender of a transfer, in minor units, optionally without one of the refunds. */
async function returnedBy(em: EntityManager, { id }: Transfer, without?: Operation): Promise<bigint> {
  const refunds = await findOperations(em, id, 'refund');
  const counted = refunds.filter((one) => one.status === 'succeeded' && one.id !== without?.id);
  return counted.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** The part of a returned sum beyond the charge. */
const excess = ({ amountMinor }: Transfer, returned: bigint) => (returned > amountMinor ? returned - amountMinor : 0n);

/**
 * Books a return of a payout by the bank, in minor units. `part` numbers the returns of this payout, from 1;
 * `paidMinor`: the sum of earlier payouts and the settled part of the rest, for a transfer with a second payout.
 */
export function postPayoutReturn(
  em: EntityManager,
  transfer: Transfer,
  operation: Operation,
  { amountMinor, part = 1, paidMinor = 0n, at }: { amountMinor: bigint; part?: number; paidMinor?: bigint; at: Date },
): void {
  const key = entryOf('payout_return', transfer, operation, at);
  const entry = part === 1 ? key.entry : `${key.entry}.${part}`;
  const regained = beyond(transfer, paidMinor) - beyond(transfer, paidMinor - amountMinor);
  post(em, { ...key, entry }, [reversed(payoutLine(amountMinor)), reversed(lossLine(regained))]);
}

/**
 * Books a further payout after `paidMinor`, which includes the settled part of the rest. The part beyond the promised
 * amount is our loss; the debt left by a return is paid with it.
 */
export function postSecondPayout(
  em: EntityManager,
  transfer: Transfer,
  operation: Operation,
  { paidMinor, at }: { paidMinor: bigint; at: Date },
): void {
  const { amountMinor } = operation;
  const lost = beyond(transfer, paidMinor + amountMinor) - beyond(transfer, paidMinor);
  post(em, entryOf('payout', transfer, operation, at), [lossLine(lost), payoutLine(amountMinor)]);
}

/**
 * Books a change of the settled rest, in centavos (core/transfers/rest.ts): its exchange is reversed, and its share
 * covers what the sender got back. `from` and `to`: the settled amount before and after.
 */
export async function postRest(
  em: EntityManager,
  transfer: Transfer,
  { from, to, at }: { from: bigint; to: bigint; at: Date },
): Promise<void> {
  const { id: transferId, currency } = transfer;
  const paid = paidBy(await findOperations(em, transferId, 'payout'));
  await em.flush();
  const known = await em.find(Posting, { transferId, entry: { $like: 'rest:%' } });
  const number = new Set(known.map(({ entry }) => entry)).size + 1;
  const share = shareOf(transfer, to) - shareOf(transfer, from);
  post(em, { transferId, entry: `rest:${number}`, at }, [
    signed({ source: 'payout_due', destination: 'exchange', amountMinor: to - from, currency: 'BOB' }),
    signed(lossLine(beyond(transfer, paid + to) - beyond(transfer, paid + from))),
    signed({ source: 'exchange', destination: 'loss', amountMinor: share, currency }),
  ]);
  await em.flush();
}

/** The part of a paid sum beyond the promised amount. */
const beyond = ({ bolivianosMinor }: Transfer, paidMinor: bigint) =>
  paidMinor > bolivianosMinor ? paidMinor - bolivianosMinor : 0n;

/** Books that a refund reached the sender. */
export async function postRefund(em: EntityManager, transfer: Transfer, operation: Operation, at: Date): Promise<void> {
  post(em, entryOf('refund', transfer, operation, at), await refundLines(em, transfer, operation));
}

/** Books that a successful refund was returned. */
export async function postRefundReversal(
  em: EntityManager,
  transfer: Transfer,
  operation: Operation,
  at: Date,
): Promise<void> {
  const lines = (await refundLines(em, transfer, operation)).map(reversed).reverse();
  post(em, entryOf('refund_reversal', transfer, operation, at), lines);
}

/** Books a change of a dispute's amount (minor units) from its previous booking to the current one. */
export async function postDispute(
  em: EntityManager,
  transfer: Transfer,
  { from, to, amountMinor, at }: { from: DisputeBooking; to: DisputeBooking; amountMinor: bigint; at: Date },
): Promise<void> {
  const before = disputeLines(transfer, from, amountMinor);
  const after = disputeLines(transfer, to, amountMinor);
  const undone = before.slice(after.length).map(reversed).reverse();
  const lines = [...undone, ...after.slice(before.length)];
  if (lines.length === 0) return;
  await em.flush();
  const postings = await em.find(Posting, { transferId: transfer.id, entry: { $like: 'dispute_%' } });
  const number = new Set(postings.map(({ entry }) => entry)).size + 1;
  const name = to === 'none' ? 'reinstated' : to === 'withdrawn' ? 'withdrawn' : 'lost';
  post(em, { transferId: transfer.id, entry: `dispute_${name}:${number}`, at }, lines);
}

/** The ledger lines of a dispute's booking. A dispute lost before the payout is a refund (`postRefund`). */
function disputeLines({ currency }: Transfer, booking: DisputeBooking, amountMinor: bigint): Line[] {
  const withdrawn: Line = { source: 'disputed', destination: 'card_processor', amountMinor, currency };
  const lost: Line = { source: 'loss', destination: 'disputed', amountMinor, currency };
  if (booking === 'lost') return [withdrawn, lost];
  return booking === 'withdrawn' ? [withdrawn] : [];
}

/** Source and destination of a payout, by the bank or by other means. */
const payoutAccounts = { source: 'payout_due', destination: 'bank', currency: 'BOB' } as const;

function payoutLine(amountMinor: bigint): Line {
  return { ...payoutAccounts, amountMinor };
}

/** The source of a payout beyond the promised amount. */
function lossLine(amountMinor: bigint): Line {
  return { source: 'loss', destination: payoutAccounts.source, amountMinor, currency: payoutAccounts.currency };
}

/**
 * Lines of a refund, paid from our debt to the sender. If the exchange was not reversed, and beyond the charge, it is
 * our loss. A refund by hand leaves our bank account instead of the card processor's.
 */
async function refundLines(em: EntityManager, transfer: Transfer, refund: Operation): Promise<Line[]> {
  const { state, currency } = transfer;
  const { provider, amountMinor } = refund;
  const others = await returnedBy(em, transfer, refund);
  const lost = unwoundStates.includes(state)
    ? excess(transfer, others + amountMinor) - excess(transfer, others)
    : amountMinor;
  const destination = provider === 'manual' ? 'bank' : 'card_processor';
  return [
    { source: 'refund_due', destination, amountMinor: amountMinor - lost, currency },
    { source: 'loss', destination, amountMinor: lost, currency },
  ];
}

function reversed(line: Line): Line {
  return { ...line, source: line.destination, destination: line.source };
}

/** Reverses the direction of a line with a negative amount. */
function signed(line: Line): Line {
  return line.amountMinor < 0n ? { ...reversed(line), amountMinor: -line.amountMinor } : line;
}

interface EntryKey {
  readonly transferId: string;
  readonly entry: string;
  readonly at: Date;
}

/** The name of an entry includes the number of its operation, from the second one of its kind on. */
function entryOf(name: string, { id }: Transfer, { sequence }: Operation, at: Date): EntryKey {
  return { transferId: id, entry: sequence === 1 ? name : `${name}:${sequence}`, at };
}

/** Writes an entry, which happens once per transfer. Lines of zero are omitted. */
function post(em: EntityManager, key: EntryKey, lines: readonly Line[]): void {
  const written = lines.filter((line) => line.amountMinor > 0n);
  for (const [index, line] of written.entries()) em.persist(em.create(Posting, { ...key, line: index + 1, ...line }));
}

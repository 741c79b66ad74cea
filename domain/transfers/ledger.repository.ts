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
 * Accounts of the ledger. Money enters from `card_processor` (which owes us what it charged) and leaves to `bank`; between
 * them it stands in accounts of our own. An exchange is two legs through `exchange`; the fee is its own line. `refund_due` is
 * what we owe a sender whose money is on its way back, `disputed` what the card's bank took and has not decided about, `loss` what was
 * returned to a sender although it was paid out or beyond what was charged, and what the family was paid beyond what it was promised.
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

/** States in which the exchange and the fee are undone: the whole amount is owed to the sender, or was. */
export const unwoundStates: readonly TransferState[] = ['refunding', 'refunded'];

/**
 * What the charge of a card is in the books. Here and below: the primary key refuses the same entry twice, and the database refuses
 * the commit when the books do not say what the transfer's state and operations say.
 */
export function postCharge(em: EntityManager, transfer: Transfer, at: Date): void {
  const { currency, amountMinor } = transfer;
  const charge: Line = { source: 'card_processor', destination: 'sender_funds', amountMinor, currency };
  post(em, { transferId: transfer.id, entry: 'charge', at }, [charge, ...distribution(transfer)]);
}

/** What becomes of the charged amount: the fee is ours, the rest is exchanged and due to the family. */
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
 * Books that a charged amount is owed to its sender: exchange and fee are undone. What was returned to the card before, as a loss, is part of
 * it. Returns what is still owed, in minor units.
 */
export async function postUnwind(em: EntityManager, transfer: Transfer, at: Date): Promise<bigint> {
  const { returned, settled } = await backWithSender(em, transfer);
  const key = { ...(await numbered(em, transfer, 'unwind')), at };
  post(em, key, unwindLines(transfer, { returned, settled }));
  return transfer.amountMinor - returned;
}

/** The opposite: the family was paid all the while, so what was returned to the sender is a loss. */
export async function postRewind(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  const lines = unwindLines(transfer, await backWithSender(em, transfer));
  post(em, { ...(await numbered(em, transfer, 'rewind')), at }, lines.map(reversed).reverse());
}

/** Books that a payout reached the family. */
export function postPayout(em: EntityManager, transfer: Transfer, operation: Operation, at: Date): void {
  post(em, entryOf('payout', transfer, operation, at), [payoutLine(operation.amountMinor)]);
}

/** The key of the next entry of a name; from the second one on it has its number. */
async function numbered(em: EntityManager, { id: transferId }: Transfer, name: string): Promise<Omit<EntryKey, 'at'>> {
  const postings = await em.find(Posting, { transferId, line: 1, entry: { $like: `${name}%` } });
  return { transferId, entry: postings.length === 0 ? name : `${name}:${postings.length + 1}` };
}

/** What has gone back to the sender, in minor units, and what is settled of the rest, in centavos. */
async function backWithSender(em: EntityManager, transfer: Transfer): Promise<{ returned: bigint; settled: bigint }> {
  const operations = await findOperations(em, transfer.id, 'refund');
  return {
    returned: await returnedBy(em, transfer),
    settled: settledRest({ keptMinor: transfer.restKeptMinor, operations }),
  };
}

/** What is settled of the rest was unwound when it was settled. */
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

/** What has gone back to the sender of a transfer, in minor units; without one of the refunds, where it is given. */
async function returnedBy(em: EntityManager, { id }: Transfer, without?: Operation): Promise<bigint> {
  const refunds = await findOperations(em, id, 'refund');
  const counted = refunds.filter((one) => one.status === 'succeeded' && one.id !== without?.id);
  return counted.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** What of a returned sum goes beyond what was charged. */
const excess = ({ amountMinor }: Transfer, returned: bigint) => (returned > amountMinor ? returned - amountMinor : 0n);

/**
 * Books what the bank returned of a payout, in minor units. `part` counts the returns of this payout, from 1; `paidMinor`: what all payouts
 * had paid before, with what was settled of the rest, for a transfer that was paid a second time.
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
 * Books a payout to a family that had been paid `paidMinor` before, with what was settled of the rest. What goes beyond the promised amount is our loss; what a return
 * had left owing is paid with it.
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
 * Books that more or less of the rest is settled, in centavos (core/transfers/rest.ts): what was exchanged for it is not any more, and its
 * share makes up for what the sender got back. `from` and `to`: what is settled before and after.
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

/** What of a paid sum goes beyond what the family was promised. */
const beyond = ({ bolivianosMinor }: Transfer, paidMinor: bigint) =>
  paidMinor > bolivianosMinor ? paidMinor - bolivianosMinor : 0n;

/** Books a refund that reached the sender. */
export async function postRefund(em: EntityManager, transfer: Transfer, operation: Operation, at: Date): Promise<void> {
  post(em, entryOf('refund', transfer, operation, at), await refundLines(em, transfer, operation));
}

/** Books that a refund which had succeeded came back. */
export async function postRefundReversal(
  em: EntityManager,
  transfer: Transfer,
  operation: Operation,
  at: Date,
): Promise<void> {
  const lines = (await refundLines(em, transfer, operation)).map(reversed).reverse();
  post(em, entryOf('refund_reversal', transfer, operation, at), lines);
}

/** Books how a dispute's amount (minor units) stands now, given how it stood. */
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

/** What a dispute's standing in the books consists of. What was lost before the family was paid is a refund (`postRefund`). */
function disputeLines({ currency }: Transfer, booking: DisputeBooking, amountMinor: bigint): Line[] {
  const withdrawn: Line = { source: 'disputed', destination: 'card_processor', amountMinor, currency };
  const lost: Line = { source: 'loss', destination: 'disputed', amountMinor, currency };
  if (booking === 'lost') return [withdrawn, lost];
  return booking === 'withdrawn' ? [withdrawn] : [];
}

/** A payout that the bank made, or a person by other means, leads from the first account to the second. */
const payoutAccounts = { source: 'payout_due', destination: 'bank', currency: 'BOB' } as const;

function payoutLine(amountMinor: bigint): Line {
  return { ...payoutAccounts, amountMinor };
}

/** What a payout beyond the promised amount is paid from. */
function lossLine(amountMinor: bigint): Line {
  return { source: 'loss', destination: payoutAccounts.source, amountMinor, currency: payoutAccounts.currency };
}

/**
 * From what we owe the sender. Where the exchange was not reversed, and beyond the charge, it is our loss. A refund by hand leaves our bank
 * account instead of the card processor's.
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

/** A line whose amount may be negative: then it leads the other way. */
function signed(line: Line): Line {
  return line.amountMinor < 0n ? { ...reversed(line), amountMinor: -line.amountMinor } : line;
}

interface EntryKey {
  readonly transferId: string;
  readonly entry: string;
  readonly at: Date;
}

/** The name of an entry says which operation of its kind it books, from the second one on. */
function entryOf(name: string, { id }: Transfer, { sequence }: Operation, at: Date): EntryKey {
  return { transferId: id, entry: sequence === 1 ? name : `${name}:${sequence}`, at };
}

/** Writes an entry, which happens once per transfer. Lines of zero are left out. */
function post(em: EntityManager, key: EntryKey, lines: readonly Line[]): void {
  const written = lines.filter((line) => line.amountMinor > 0n);
  for (const [index, line] of written.entries()) em.persist(em.create(Posting, { ...key, line: index + 1, ...line }));
}

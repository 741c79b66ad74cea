import type { ComplaintView } from '#core/contracts/http/complaints';
import type { Cause } from '#core/reconciliation/cause';
import type { TransferState } from '#core/transfers/states';
import type { Random } from '../../infra/testing/soak.ts';
import type { TransferWatch } from '../soak/watch.ts';
import type { TestApp } from '../test-app.ts';
import {
  type Books,
  bolivianosOf,
  counteredFee,
  disputeFee,
  feeOf,
  marginOf,
  type Part,
  processorFeeOf,
  type SendCurrency,
} from './books.ts';
import { bankHolidays, type Session } from './calendar.ts';
import type { VirtualClock } from './clock.ts';
import type { Market } from './market.ts';
import type { Person, Sender } from './people.ts';
import type { Rest } from './rest.ts';

/** The environment of a month's run. */
export interface Month {
  readonly app: TestApp;
  readonly clock: VirtualClock;
  readonly rest: Rest;
  readonly seed: number;
  /** Transfers of the month, those that something is planted about among them. */
  readonly count: number;
  readonly accounts: readonly [{ email: string; password: string }, { email: string; password: string }];
  readonly report: (line: string) => void;
}

/** A transfer as who watches the month knows it. Amounts are minor units, rates millionths. */
export interface Sent {
  readonly index: number;
  readonly sender: Sender;
  readonly id: string;
  readonly intentId: string;
  readonly openedOn: string;
  readonly currency: SendCurrency;
  readonly amount: bigint;
  /** The rate and the market rate: those of the quote, until an approval applies better ones. */
  rate: bigint;
  reference: bigint;
  /** Its own random numbers. */
  readonly random: Random;
  /** Its expected final state. */
  expected: TransferState;
  /** Its money went back by other means than the card. */
  byHand?: true;
  /** The day on which its refund left Stripe, if Stripe completes it only after the month. */
  refundOverdueFrom?: string;
}

/** A report of a sender. */
export interface Reported {
  readonly sent: Sent;
  readonly id: string;
  readonly day: string;
  readonly regime: ComplaintView['regime'];
  readonly reason: ComplaintView['reason'];
}

/** Work deferred to a later session. */
type Errand = () => Promise<void>;

/** A transfer whose payout the bank rejects, because of the account or for another reason, and the reaction. */
export interface Refusal {
  readonly sent: Sent;
  readonly about: 'account' | 'other';
  readonly after: Errand;
}

/** An exception that must be on the exceptions page in the end. */
export interface Planted {
  /** Description of what was planted. */
  readonly what: string;
  readonly cause: Cause;
  readonly transferId: string | null;
  /** By how much the source has more than our books, in minor units; zero where it is not about money. */
  readonly difference: bigint;
  readonly currency: SendCurrency | 'BOB';
  /** The day whose books it keeps open. */
  readonly day: string;
}

/** Everything that the people of the month share. */
export interface World {
  readonly app: TestApp;
  readonly clock: VirtualClock;
  readonly watch: TransferWatch;
  readonly books: Books;
  readonly admins: readonly [Person, Person];
  readonly seed: number;
  readonly senders: Sender[];
  readonly sent: Sent[];
  readonly errands: Map<number, Errand[]>;
  /** Transfers that wait for an approval which the bank will answer with a refusal. */
  readonly refusals: Refusal[];
  /** Plantings to run at the end of the session, and those done so far. */
  readonly plantings: Errand[];
  readonly planted: Planted[];
  /** Reports of problems that are not answered within the month. */
  readonly unanswered: Reported[];
  market: Market;
  session: Session;
}

/** Schedules an errand for `sessions` sessions later. */
export function later(world: World, sessions: number, errand: Errand): void {
  const number = world.session.number + sessions;
  world.errands.set(number, [...(world.errands.get(number) ?? []), errand]);
}

/** Leaves something to a session in the morning or evening: around midnight it is another day where the law counts, and for statements. */
export function inDaylight(world: World, sessions: number, errand: Errand): void {
  later(world, sessions, async () => {
    if (world.session.kind.endsWith('midnight')) inDaylight(world, 1, errand);
    else await errand();
  });
}

/** The two admins, each as often the first. */
export function adminsFor({ admins }: World, { index }: Pick<Sent, 'index'>): readonly [Person, Person] {
  return index % 2 === 0 ? admins : [admins[1], admins[0]];
}

/** How the bank answers from now on; it keeps its holidays. */
export async function setBank(
  { app }: World,
  mode: { rejectNext?: number; rejection?: { code: string; message: string } } = {},
): Promise<void> {
  await app.sandbox.bank({ ...mode, closedOn: bankHolidays });
}

export const feeIn = ({ amount }: Sent): bigint => feeOf(amount);
export const netOf = (sent: Sent): bigint => sent.amount - feeOf(sent.amount);
export const bolivianosIn = (sent: Sent): bigint => bolivianosOf(netOf(sent), sent.rate);

function note(world: World, sent: Sent, part: Part, minor: bigint, day = world.clock.day): void {
  world.books.add({ day, currency: sent.currency, part, minor, transferId: sent.id });
}

/** The card was charged: our fee, and what Stripe takes. */
export function noteCharge(world: World, sent: Sent): void {
  note(world, sent, 'fee', feeIn(sent));
  note(world, sent, 'processor', -processorFeeOf(sent.amount));
}

/** The family was paid, which is when the exchange has earned its margin; or the bank gave the payment back. */
export function notePayout(world: World, sent: Sent, way: 'paid' | 'returned' = 'paid'): void {
  const margin = marginOf(netOf(sent), sent.rate, sent.reference);
  note(world, sent, 'margin', way === 'paid' ? margin : -margin);
}

/** The money goes back to its sender, our fee included. */
export function noteUnwinding(world: World, sent: Sent): void {
  note(world, sent, 'fee', -feeIn(sent));
}

/** Money went back although the family was paid. */
export function noteLoss(world: World, sent: Sent, minor: bigint): void {
  note(world, sent, 'loss', -minor);
}

/**
 * Records that the family was paid this many centavos more than promised, or if negative, that the bank returned them.
 */
export function notePaidAgain(world: World, { id: transferId }: Sent, minor: bigint): void {
  world.books.add({ day: world.clock.day, currency: 'BOB', part: 'loss', minor: -minor, transferId });
}

/** Records a chargeback by the card's bank. */
export function noteDispute(world: World, sent: Sent): void {
  note(world, sent, 'processor', -disputeFee);
}

/** Stripe took a fee for answering a dispute, which it returned if the dispute was won. */
export function noteDisputeAnswer(world: World, sent: Sent, way: 'won' | 'lost'): void {
  note(world, sent, 'processor', way === 'won' ? 0n : -counteredFee);
}

/** Stripe's list has another fee than it took when this was noted. */
export function noteFeeCorrection(
  world: World,
  sent: Sent,
  minor: bigint,
  { day = world.clock.day, currency = sent.currency }: { day?: string; currency?: SendCurrency } = {},
): void {
  world.books.add({ day, currency, part: 'processor', minor, transferId: sent.id });
}

import type { SandboxDispute, SandboxIntent, SandboxPayout } from '../../sandbox/testing/control-client.ts';
import { completionMs } from './providers.ts';
import type { TransferRows } from './tables.ts';
import { minorOf, type TransferRun } from './transfer-run.ts';
import { type Agreement, isOfTwo } from './witness.ts';
import { twoPersonsUsdMinor } from './world.ts';

/** All data about a transfer outside of the product, and the product's tables. */
export interface Evidence {
  readonly rows: TransferRows;
  readonly intent: SandboxIntent;
  readonly disputes: readonly SandboxDispute[];
  readonly warnings: readonly { id: string; actionable: boolean }[];
  /** The bank's payouts of the transfer. */
  readonly payouts: readonly SandboxPayout[];
}

/** Decisions that knowingly lose money, made with the knowledge that the other side has been paid. */
const lossNames = /loss|release|remedy/;

/** Two people accept a loss; one may return a little as the result of a report (decision 31). */
const isLossAccepted = (one: Agreement) =>
  lossNames.test(one.what) &&
  (isOfTwo(one) || (one.what === 'remedy' && one.to === 'sender' && (one.minor ?? 0n) < twoPersonsUsdMinor));

/** Reads everything about a transfer, and records which of Stripe's events the product knows by now. */
export async function gather(run: TransferRun): Promise<Evidence> {
  const { world, id, intentId, witness } = run;
  const [rows, intent, disputes, warnings, payouts] = await Promise.all([
    world.tables.read(id),
    world.sandbox.intent(intentId),
    world.sandbox.disputes(),
    world.stripe<{ data: Evidence['warnings'] }>(`/v1/radar/early_fraud_warnings?payment_intent=${intentId}`),
    world.sandbox.payouts(),
  ]);
  const evidence = {
    ...{ rows, intent, warnings: warnings.data },
    disputes: disputes.filter((one) => one.payment_intent === intentId),
    payouts: payouts.filter(({ externalId }) => externalId.startsWith(id)),
  };
  const tick = world.tick();
  const stopped = rows.stops.some((scope) => scope !== 'captures') ? ['payouts are stopped'] : [];
  const ownHolds = [...(run.sender.blocked ? ['the sender is blocked'] : []), ...stopped];
  if (!world.deliversWebhooks || rows.hasUnhandledEvents) {
    witness.setHolds([...[...witness.holds.keys()].filter((one) => !isOwnHold(one)), ...ownHolds], tick);
    return evidence;
  }
  for (const one of [...evidence.disputes, ...evidence.warnings, ...outsideRefunds(evidence)])
    witness.learn(one.id, tick);
  witness.setHolds([...holdsAt(evidence), ...ownHolds], tick);
  return evidence;
}

/** Holds that the product sets itself, and so knows whatever Stripe delivers. */
const isOwnHold = (name: string) => /blocked|stopped/.test(name);

/** Why Stripe's side says that nothing may be paid now. */
function holdsAt(evidence: Evidence): string[] {
  const disputes = evidence.disputes.filter(({ status }) => status !== 'won' && status !== 'warning_closed');
  return [
    ...disputes.map(({ id, status }) => `${status.startsWith('warning') ? 'inquiry' : `dispute ${status}`} ${id}`),
    ...evidence.warnings.filter(({ actionable }) => actionable).map(({ id }) => `fraud warning ${id}`),
    ...outsideRefunds(evidence).map(({ id, status }) => `outside refund ${status} ${id}`),
  ];
}

/** Refunds that the product did not ask for, those that failed left out. */
function outsideRefunds({ intent }: Evidence): SandboxIntent['refunds'] {
  return intent.refunds.filter(({ operationId, status }) => operationId === null && countsAsPaid(status));
}

const countsAsPaid = (status: string) => status !== 'failed' && status !== 'canceled';
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, one) => total + one, 0n);

/** Money that went to one side or may have gone, in minor units, with when. */
interface Moved {
  readonly minor: bigint;
  readonly tick: number;
  readonly what: string;
}

/** Money that the family has or may have: an order without a certain answer counts as paid. */
function toFamily({ world, witness, id }: TransferRun, { payouts }: Evidence): Moved[] {
  const returned = new Map(payouts.map((one) => [one.externalId, minorOf(one.returnedAmount)]));
  const orders = [...world.providers.orders.values()].filter(({ externalId }) => externalId.startsWith(id));
  const byBank = orders.map(({ externalId, centavos, paid, certain, tick }) => ({
    minor: paid ? centavos - (returned.get(externalId) ?? 0n) : certain ? 0n : centavos,
    tick,
    what: `${paid ? 'paid' : 'unknown'} order ${externalId.slice(36) || '#1'}`,
  }));
  const byHand = witness.byHand.filter(({ to, declined }) => to === 'family' && !declined);
  return [...byBank, ...byHand.map(({ minor, tick }) => ({ minor, tick, what: 'payment by hand' }))].filter(
    ({ minor }) => minor > 0n,
  );
}

/**
 * Money that was or may have been returned to the sender. Disputes and dashboard refunds count if they were known
 * before a payment to the family.
 */
function toSender(run: TransferRun, evidence: Evidence, paid: readonly Moved[]): Moved[] {
  const { world, witness, id } = run;
  const { intent, disputes } = evidence;
  const lastPaid = Math.max(0, ...paid.map(({ tick }) => tick));
  const own = intent.refunds.filter(({ operationId, status }) => operationId !== null && countsAsPaid(status));
  const unknown = [...world.providers.refunds.values()].filter(
    ({ transferId, executed, certain }) => transferId === id && !executed && !certain,
  );
  // Stripe never returns more than it charged.
  const requested = sum([...own.map(({ amount }) => BigInt(amount)), ...unknown.map(({ minor }) => minor)]);
  const received = BigInt(intent.amountReceived);
  const outside = outsideRefunds(evidence).map((one) => ({ ...one, what: 'outside refund' }));
  const taken = disputes
    .filter(({ status }) => status !== 'won' && !status.startsWith('warning'))
    .map((one) => ({ ...one, what: `dispute ${one.status}` }));
  const byHand = witness.byHand.filter(({ to, declined }) => to === 'sender' && !declined);
  return [
    { minor: requested < received ? requested : received, tick: 0, what: 'refunds' },
    ...byHand.map(({ minor, tick }) => ({ minor, tick, what: 'refund by hand' })),
    ...[...outside, ...taken].flatMap(({ id: one, amount, what }) => {
      const knownSince = witness.known.get(one);
      return knownSince !== undefined && knownSince < lastPaid
        ? [{ minor: BigInt(amount), tick: knownSince, what }]
        : [];
    }),
  ].filter(({ minor }) => minor > 0n);
}

const lossesTo = (run: TransferRun, side: Agreement['to']): bigint =>
  sum(run.witness.agreements.filter((one) => isLossAccepted(one) && one.to === side).map(({ minor }) => minor ?? 0n));

/** Violations of the invariants that hold at any moment. */
export function problemsNow(run: TransferRun, evidence: Evidence): string[] {
  const { amountMinor, feeMinor, bolivianosMinor, witness, world, id } = run;
  const paid = toFamily(run, evidence);
  const returned = toSender(run, evidence, paid);
  const [family, sender] = [sum(paid.map(({ minor }) => minor)), sum(returned.map(({ minor }) => minor))];
  const received = BigInt(evidence.intent.amountReceived);
  // As shares of the charge, without dividing.
  const spent = family * amountMinor + sender * bolivianosMinor;
  const lost = lossesTo(run, 'family') * amountMinor + lossesTo(run, 'sender') * bolivianosMinor;
  const details = [...paid, ...returned].map(({ what, minor }) => `${what} ${minor}`).join(', ');
  const remedies = witness.agreements.filter(({ what }) => what === 'remedy');
  // The fee may be refunded in addition to a second payment (12 CFR 1005.33(c)(2)(ii)(B)), whose value excludes the
  // fee.
  const netMinor = amountMinor - feeMinor;
  const remedied = sum(remedies.map(({ to, minor }) => (minor ?? 0n) * (to === 'family' ? netMinor : bolivianosMinor)));
  const heldBack = [...world.providers.orders.values()].filter(
    (order) => order.externalId.startsWith(id) && order.heldBy.length > 0,
  );
  return [
    ...witness.wrongs,
    ...(spent > received * bolivianosMinor + lost ? [`more was paid than the charge of ${received}: ${details}`] : []),
    ...(remedied > amountMinor * bolivianosMinor
      ? ['reports gave back more than all: money back and a second payment']
      : []),
    ...heldBack.map(({ heldBy }) => `the bank paid in spite of: ${heldBy.join(', ')}`),
  ];
}

/** Differences between the books and reality, and transfers that are stuck. */
export function problemsAtRest(run: TransferRun, evidence: Evidence): string[] {
  return [...moneyDifferences(run, evidence), ...standstill(evidence)];
}

function moneyDifferences(run: TransferRun, { rows, intent, disputes, payouts }: Evidence): string[] {
  const { world, witness, id } = run;
  const byHand = (side: string) =>
    sum(witness.byHand.filter(({ to, declined }) => to === side && !declined).map(({ minor }) => minor));
  const unpaid = [...world.providers.orders.values()].filter((one) => one.externalId.startsWith(id) && !one.paid);
  const atBank = sum(
    payouts.filter(({ status }) => status === 'paid').map((one) => minorOf(one.amount) - minorOf(one.returnedAmount)),
  );
  const refunds = intent.refunds.filter(({ status }) => countsAsPaid(status));
  const taken = disputes.filter(({ status }) => status !== 'won' && !status.startsWith('warning'));
  const out = sum([...refunds, ...taken].map(({ amount }) => BigInt(amount)));
  const atStripe = BigInt(intent.amountReceived) - out;
  const inBooks = (account: string) => rows.books[account] ?? 0n;
  const compare = (what: string, ours: bigint, theirs: bigint) =>
    ours === theirs ? [] : [`${what}: our books say ${ours}, it is ${theirs}`];
  return [
    ...compare('paid to the family', inBooks('bank BOB'), atBank + byHand('family')),
    ...compare('left of the charge', -inBooks('card_processor USD'), atStripe),
    ...compare('returned by hand', inBooks('bank USD'), byHand('sender')),
    ...unpaid
      .filter(({ certain, lastSentAt }) => !certain && world.clock.now() < lastSentAt + completionMs)
      .map(({ externalId }) => `what became of order ${externalId} is not known`),
  ];
}

/** States in which a transfer has not ended. */
const waitingStates = ['approved', 'captured', 'payout_failed', 'refunding'];

function standstill({ rows, disputes }: Evidence): string[] {
  const isDisputed = disputes.some(({ status }) => /response|review/.test(status));
  return [
    // Until the card's bank has decided.
    ...(waitingStates.includes(rows.state) && !isDisputed ? [`it is stuck as ${rows.state}`] : []),
    ...(rows.state !== 'in_review' && rows.waitingRequestIds.length > 0 ? ['a request waits for a second person'] : []),
  ];
}

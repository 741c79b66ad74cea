import { parseMinor } from '#core/money/money';
import type { CaseReason } from '#core/operations/desk-case';
import { openStatuses } from '#core/operations/operation';
import { namesNotClearedError } from '#core/review/screening';
import { endedUnpaidStates, type Move, transferMoves } from '#core/transfers/states';
import type { TransferRecord } from './records.ts';

/** States in which a transfer may rest; in those of the second list only with an open case. */
const endStates = [...endedUnpaidStates, 'completed', 'refunded'];
const statesOfCases = ['captured', 'payout_failed', 'refunding'];

/** What Stripe and the bank say of a transfer's money, in minor units. */
interface Outside {
  readonly charged: bigint;
  /** By refunds, and by disputes that were lost before the family was paid. */
  readonly refunded: bigint;
  /** By disputes that were lost after the family was paid. */
  readonly lost: bigint;
  readonly paid: bigint;
}

/**
 * The problems of a transfer at rest. The expectations are derived from Stripe, the bank and the table of states, not
 * from the product's own operations.
 */
export function problemsOf(record: TransferRecord): string[] {
  const outside = outsideOf(record);
  return [
    ...historyProblems(record),
    ...outsideProblems(record, outside),
    ...operationProblems(record, outside),
    ...bookProblems(record, outside),
    ...caseProblems(record),
  ];
}

/** Lost disputes that count as refunds, and those that are a loss. */
function lostDisputes({ disputes, operations }: TransferRecord) {
  const references = new Set(operations.map(({ kind, reference }) => kind === 'refund' && reference));
  const lost = disputes.filter(({ status }) => status === 'lost');
  return {
    asRefund: lost.filter(({ id }) => references.has(id)),
    asLoss: lost.filter(({ id }) => !references.has(id)),
  };
}

function outsideOf(record: TransferRecord): Outside {
  const { intent, payouts } = record;
  const { asRefund, asLoss } = lostDisputes(record);
  const refunds = (intent?.refunds ?? []).filter(({ status }) => status === 'succeeded');
  return {
    charged: BigInt(intent?.amountReceived ?? 0),
    refunded: sum([...refunds, ...asRefund].map(({ amount }) => BigInt(amount))),
    lost: sum(asLoss.map(({ amount }) => BigInt(amount))),
    paid: sum(payouts.filter(({ status }) => status === 'paid').map(leftOf)),
  };
}

/**
 * Stripe's refunds that the product has to know. One from Stripe's dashboard that failed before anybody read it moved no money, and the
 * charge shows no trace of it.
 */
function knownRefunds(record: TransferRecord): NonNullable<TransferRecord['intent']>['refunds'] {
  const { intent, operations } = record;
  if (!intent || isUnpaid(record)) return [];
  const references = new Set(operations.map(({ reference }) => reference));
  return intent.refunds.filter(
    ({ id, operationId, status }) => operationId || status !== 'failed' || references.has(id),
  );
}

const minor = (text: string): bigint => parseMinor(text) ?? 0n;
const leftOf = (payout: TransferRecord['payouts'][number]): bigint =>
  minor(payout.amount) - minor(payout.returnedAmount);
const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const isUnpaid = ({ state }: TransferRecord): boolean => endedUnpaidStates.includes(state);

/** The bank's records of the regular payouts and of second payouts. */
function payoutsOf({ payouts, operations }: TransferRecord) {
  const again = new Set(operations.filter((one) => one.again).map(({ sequence }) => sequence));
  // The first payout has the transfer's own id there, later ones their number behind it.
  const isAgain = ({ externalId }: TransferRecord['payouts'][number]) => again.has(Number(externalId.slice(37) || 1));
  return { first: payouts.filter((one) => !isAgain(one)), again: payouts.filter(isAgain) };
}

/** A list of sentences whose condition does not hold. */
function unless(...rules: [boolean, string][]): string[] {
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function historyProblems({ state, history, cases }: TransferRecord): string[] {
  const problems: string[] = [];
  for (const [index, step] of history.entries()) {
    const before = history[index - 1]?.state;
    const move: Move | undefined = Object.entries<Move>(transferMoves).find(([name]) => name === step.move)?.[1];
    const allowed = !before
      ? step.state === 'awaiting_payment'
      : move
        ? move.from.includes(before) && move.to === step.state
        : step.state === before;
    if (!allowed) problems.push(`step ${index + 1} (${step.move}) leads from ${before} to ${step.state}`);
  }
  const openCase = cases.some(({ open }) => open);
  return problems.concat(
    unless(
      [history.at(-1)?.state === state, `the history ends in another state than ${state}`],
      [endStates.includes(state) || statesOfCases.includes(state), `nothing moves, but the state is ${state}`],
      [!statesOfCases.includes(state) || openCase, `it is ${state} without an open case that says why`],
    ),
  );
}

function outsideProblems(record: TransferRecord, { charged, refunded, paid }: Outside): string[] {
  const { state, amount, bolivianos, intent, captures, payouts } = record;
  const standing = (those: typeof payouts) => those.filter((one) => one.status === 'paid' && leftOf(one) > 0n);
  const { first, again } = payoutsOf(record);
  const [paidFirst, paidAgain] = [sum(standing(first).map(leftOf)), sum(standing(again).map(leftOf))];
  const pending = intent?.refunds.filter(({ status }) => status === 'pending').length ?? 0;
  return unless(
    [isUnpaid(record) ? charged === 0n || refunded === charged : charged === amount, `Stripe charged ${charged}`],
    [!isUnpaid(record) || !intent || charged > 0n || intent.status === 'canceled', `the payment is ${intent?.status}`],
    [captures <= 1, `Stripe captured ${captures} times`],
    [refunded <= charged, `refunds of ${refunded} are above the charge of ${charged}`],
    [pending === 0, 'a refund is still pending'],
    [state !== 'refunded' || refunded === amount, `it is refunded, but ${refunded} of ${amount} were returned`],
    [state !== 'refunding' || refunded < amount, 'it is refunding, but all of it was returned'],
    [standing(first).length <= 1, `the bank paid ${standing(first).length} times`],
    [paidFirst <= bolivianos, `the bank paid ${paidFirst}, more than ${bolivianos}`],
    [paidAgain <= bolivianos, `the bank paid ${paidAgain} again, more than ${bolivianos}`],
    [(state === 'completed') === paid > 0n, `the bank paid ${paid}`],
    [state !== 'completed' || standing(payouts).length > 0, 'nothing was paid'],
  );
}

function operationProblems(record: TransferRecord, { charged, refunded, paid }: Outside): string[] {
  const { operations, intent } = record;
  const succeeded = (kind: string) => operations.filter((one) => one.kind === kind && one.status === 'succeeded');
  const open = operations.filter(({ status }) => openStatuses.includes(status));
  const refunds = sum(succeeded('refund').map(({ amount }) => amount));
  const payouts = sum(succeeded('payout').map(({ amount, returned }) => amount - returned));
  const references = operations.flatMap(({ kind, reference }) => (kind === 'refund' && reference ? [reference] : []));
  const chargebacks = isUnpaid(record) ? [] : lostDisputes(record).asRefund;
  const atStripe = [...knownRefunds(record), ...chargebacks].map(({ id }) => id);
  return unless(
    [open.length === 0, `operations are still open: ${open.map(({ kind, status }) => `${kind} ${status}`)}`],
    [isUnpaid(record) || succeeded('capture').length === 1, `${succeeded('capture').length} captures succeeded`],
    [!isUnpaid(record) || succeeded('capture').length === 0 || charged > 0n, 'a capture succeeded without a charge'],
    [isUnpaid(record) || refunds === refunded, `refunds of ${refunds} succeeded, Stripe says ${refunded}`],
    [payouts === paid, `payouts of ${payouts} succeeded, the bank says ${paid}`],
    [references.toSorted().join() === atStripe.toSorted().join(), `refunds are ${references}, at Stripe ${atStripe}`],
    [
      !isUnpaid(record) || !intent || record.voided,
      'it ended unpaid, but the void of its authorization was not recorded',
    ],
  );
}

/** Bolivianos whose share the sender has back: by refunds ordered for them, or because they cover a loss. */
const settledOf = ({ operations, kept }: TransferRecord): bigint =>
  kept + sum(operations.filter(({ status }) => status === 'succeeded').map(({ rest }) => rest));

/** The debt to the family of a completed transfer. */
function owedOf(record: TransferRecord, paid: bigint): bigint {
  const owed = record.bolivianos - settledOf(record) - paid;
  return record.state === 'completed' && owed > 0n ? owed : 0n;
}

/** The balances derived from Stripe, the bank and the settled returns alone. */
function booksDue(record: TransferRecord, { refunded, lost, paid }: Outside): Map<string, bigint> {
  if (isUnpaid(record)) return new Map();
  const { state, currency, amount, fee } = record;
  const unwound = state === 'refunding' || state === 'refunded';
  const settled = settledOf(record);
  const share = (settled * record.net + record.bolivianos - 1n) / record.bolivianos;
  const [net, bolivianos] = [record.net - share, record.bolivianos - settled];
  const due: [string, bigint][] = [
    [`card_processor ${currency}`, refunded + lost - amount],
    [`fee_income ${currency}`, unwound ? 0n : fee],
    [`exchange ${currency}`, unwound ? 0n : net],
    ['exchange BOB', unwound ? 0n : -bolivianos],
    ['payout_due BOB', unwound || paid > bolivianos ? 0n : bolivianos - paid],
    ['bank BOB', paid],
    // Second payouts beyond the promised amount.
    ['loss BOB', paid > bolivianos ? bolivianos - paid : 0n],
    [`refund_due ${currency}`, unwound ? amount - refunded : 0n],
    [`loss ${currency}`, (unwound ? 0n : share - refunded) - lost],
  ];
  return new Map(due.filter(([, balance]) => balance !== 0n));
}

function bookProblems(record: TransferRecord, outside: Outside): string[] {
  const { books } = record;
  const due = booksDue(record, outside);
  const wrong = [...new Set([...books.keys(), ...due.keys()])]
    .filter((account) => (books.get(account) ?? 0n) !== (due.get(account) ?? 0n))
    .map((account) => `${account} is ${books.get(account) ?? 0n} instead of ${due.get(account) ?? 0n}`);
  for (const currency of ['EUR', 'USD', 'BOB']) {
    const total = sum([...books].flatMap(([account, balance]) => (account.endsWith(currency) ? [balance] : [])));
    if (total !== 0n) wrong.push(`the accounts in ${currency} sum to ${total}`);
  }
  return wrong;
}

/** Cases that only a person closes: they stay open whatever happens to the transfer. */
const closedByPersons: readonly CaseReason[] = ['refund_outside', 'dispute_lost', 'contradiction'];

/** The cases that what happened outside leaves behind. */
function casesDue(record: TransferRecord): Set<CaseReason> {
  const { state, history, operations } = record;
  const due = new Set<CaseReason>();
  const refunds = knownRefunds(record);
  const last = (kind: string) => operations.findLast((one) => one.kind === kind);
  const { first } = payoutsOf(record);
  const newest = first.at(-1);
  if (record.disputes.some(({ status }) => status === 'lost')) due.add('dispute_lost');
  // A failure before it was read moved no money. A return during a refund needs no person.
  const booked = new Set(operations.filter((one) => one.booked).map(({ reference }) => reference));
  const returned = refunds.filter(
    ({ id, operationId, status }) => !operationId && (status !== 'failed' || booked.has(id)),
  );
  const outside = history.some(({ move }) => move === 'refund_outside') || !['refunding', 'refunded'].includes(state);
  if (outside && returned.length > 0) due.add('refund_outside');
  if (state === 'payout_failed') due.add(newest?.status === 'paid' ? 'payout_returned' : 'payout_rejected');
  if (state === 'captured' && last('payout')?.status === 'failed')
    due.add(last('payout')?.error === namesNotClearedError ? 'names_not_cleared' : 'operation_refused');
  if (owedOf(record, outsideOf(record).paid) > 0n) due.add('payout_returned_in_part');
  // After a new decision another payout follows.
  if (operations.findLast((one) => one.again && !one.ofRest)?.status === 'failed') due.add('correction_failed');
  if (state === 'refunding') {
    if (refunds.some(({ status, operationId }) => status === 'failed' && operationId)) due.add('refund_failed');
    if (last('refund')?.status === 'failed' && !last('refund')?.reference) due.add('operation_refused');
  }
  return due;
}

function caseProblems(record: TransferRecord): string[] {
  const due = casesDue(record);
  const open = record.cases.filter((one) => one.open).map(({ reason }) => reason);
  const byPerson = new Set(record.cases.filter((one) => !one.open && one.byPerson).map(({ reason }) => reason));
  const missing = [...due].filter((reason) => !open.includes(reason) && !byPerson.has(reason));
  const refunds = knownRefunds(record);
  // A person may have seen a return or failure in Stripe's dashboard before it became irrelevant.
  const explained = (reason: CaseReason) =>
    due.has(reason) ||
    // The bank's return may be settled already; then the case only needs a look.
    (reason === 'payout_returned_in_part' && record.payouts.some((one) => minor(one.returnedAmount) > 0n)) ||
    (reason === 'refund_outside' && refunds.some(({ operationId }) => !operationId)) ||
    (reason === 'refund_failed' && record.state === 'refunding' && refunds.some(({ status }) => status === 'failed'));
  const needless = open.filter((reason) => !explained(reason));
  return unless(
    [missing.length === 0, `the desk shows no case for ${missing}`],
    [needless.length === 0, `the desk shows a case for ${needless}, which nothing explains`],
    [new Set(open).size === open.length, `the desk shows a reason twice: ${open}`],
    [
      record.cases.every(
        ({ reason, open: stays, byPerson: person }) => !closedByPersons.includes(reason) || stays || person,
      ),
      'a case that only persons close was closed automatically',
    ],
  );
}

import { stopScopeNames } from '#core/money-stops/money-stop';
import { choose, pick, type Random } from '../../infra/testing/soak.ts';
import type { Evidence } from './auditor.ts';
import { type Command, cards, type Reviewer, type Start, spans } from './commands.ts';
import type { Fault, Target } from './providers.ts';

/** What a step of a random life depends on. */
export interface Situation {
  readonly evidence: Evidence;
  /** Names of what open cases offer. */
  readonly offers: readonly string[];
  readonly hasOpenReport: boolean;
  /** Whether an admin reserved the transfer to pay by hand. */
  readonly isReserved: boolean;
}

/** Kinds of steps with how often each is taken. */
type Weights = Readonly<Partial<Record<StepName, number>>>;

const oneIn = (random: Random, count: number) => random() * count < 1;
const reviewer = (random: Random) => pick<Reviewer>(random, ['first', 'second', 'owner']);

/** About the account, about us, and unknown codes. */
const rejections = [
  'account_not_found',
  'account_closed',
  'name_mismatch',
  'insufficient_funds',
  'compliance_hold',
  'x',
];
const statuses = [401, 403, 404, 408, 409, 413, 429, 500, 503];

function anyFault(random: Random): Fault {
  const executed = oneIn(random, 2);
  const answer = choose(random, { status: 5, cut: 2, garbage: 1, crash: 1 });
  return answer === 'status' ? { answer: pick(random, statuses), executed } : { answer, executed };
}

function orderFault(random: Random): Fault {
  const minutes = 1 + Math.floor(random() * 9);
  const answer = choose(random, { any: 6, rejected: 5, pending: 1, late: 2 });
  if (answer === 'any') return anyFault(random);
  return answer === 'rejected' ? { answer, code: pick(random, rejections) } : { answer, minutes };
}

/** Crashes are dear: each happens once. */
function failing(random: Random, call: Target, fault: Fault): Command {
  return { do: 'fail', call, fault, times: fault.answer === 'crash' ? 1 : pick(random, [1, 1, 2, 100]) };
}

/** Makes each step. */
const steps = {
  approve: (random) => ({ do: 'approve', by: reviewer(random) }),
  reject: (random) => ({ do: 'reject', by: reviewer(random) }),
  cancel: () => ({ do: 'cancel' }),
  correct: (random) => ({ do: 'correct', to: pick(random, ['same', 'other']) }),
  report: (random) => ({ do: 'report', wants: pick(random, ['delivery', 'refund']) }),
  conclude: (random) => ({
    ...{ do: 'conclude', by: reviewer(random), all: oneIn(random, 2) },
    remedy: pick(random, ['refund', 'pay_again', 'fee_refund', 'none']),
  }),
  agree: (random) => ({ do: 'agree', by: reviewer(random), yes: !oneIn(random, 4) }),
  act: (random, { offers }) => ({ do: 'act', by: reviewer(random), action: pick(random, offers) }),
  decide: (random) => ({ do: 'decide', by: reviewer(random), yes: !oneIn(random, 4) }),
  payByHand: (random) => ({ do: 'payByHand', by: reviewer(random) }),
  reportPayment: (random) => ({ do: 'reportPayment', by: reviewer(random) }),
  dropReservation: (random) => ({ do: 'dropReservation', by: reviewer(random) }),
  stop: (random) => ({ do: 'stop', by: reviewer(random), scope: pick(random, stopScopeNames) }),
  lift: (random) => ({ do: 'lift', by: reviewer(random) }),
  role: (random) => ({
    do: 'role',
    of: pick(random, ['first', 'second']),
    role: pick(random, ['reviewer', 'support', null]),
  }),
  block: (random) => ({
    do: 'block',
    who: pick(random, ['sender', 'sender', 'first', 'second']),
    blocked: !oneIn(random, 3),
  }),
  failOrder: (random) => failing(random, 'order', orderFault(random)),
  failLookup: (random) => failing(random, 'lookup', anyFault(random)),
  failCapture: (random) => failing(random, 'capture', anyFault(random)),
  failRefund: (random) => failing(random, 'refund', anyFault(random)),
  failVoid: (random) => failing(random, 'void', anyFault(random)),
  failOther: (random) => failing(random, pick(random, ['read', 'events', 'returns']), anyFault(random)),
  heal: () => ({ do: 'heal' }),
  bankReturns: (random) => ({ do: 'bankReturns', all: oneIn(random, 2) }),
  dispute: (random) => ({
    ...{ do: 'dispute', all: oneIn(random, 2), inquiry: oneIn(random, 3), prevented: oneIn(random, 5) },
  }),
  decideDispute: (random) => ({ do: 'decideDispute', decision: pick(random, ['won', 'lost', 'lost', 'escalated']) }),
  dashboardRefund: (random) => ({ do: 'dashboardRefund', all: oneIn(random, 2), pending: oneIn(random, 2) }),
  refundsSucceed: () => ({ do: 'refundsSucceed' }),
  webhooks: (random) => ({ do: 'webhooks', mode: pick(random, ['deliver', 'deliver', 'hold', 'drop', 'duplicate']) }),
  moment: (random) => ({ do: 'pass', time: pick(random, ['minute', 'completion']) }),
  longer: (random) => ({ do: 'pass', time: pick(random, Object.keys(spans) as (keyof typeof spans)[]) }),
  restartWorker: () => ({ do: 'restartWorker' }),
} satisfies Record<string, (random: Random, situation: Situation) => Command>;
type StepName = keyof typeof steps;

/** At any time. */
const always: Weights = {
  failOther: 1,
  heal: 2,
  moment: 4,
  longer: 1,
  webhooks: 2,
  restartWorker: 0.3,
  stop: 0.5,
  role: 1,
  block: 1,
};
/** While there is a charge. */
const charged: Weights = { dispute: 3, dashboardRefund: 1.5, refundsSucceed: 0.5, failLookup: 1, failRefund: 2 };

/** Further weights by the state of the transfer. States that are missing here have ended. */
const byState: Readonly<Record<string, Weights>> = {
  in_review: { approve: 12, reject: 0.5, cancel: 0.7, failOrder: 6, failCapture: 1, failVoid: 0.5 },
  approved: { cancel: 3, failCapture: 2, failVoid: 1, failOrder: 3, moment: 4 },
  captured: { ...charged, cancel: 3, failOrder: 4, moment: 6 },
  payout_failed: { ...charged, correct: 5, cancel: 3, failOrder: 3 },
  completed: { ...charged, report: 3, bankReturns: 3, cancel: 0.3, failOrder: 1 },
  refunding: { ...charged, cancel: 0.5, moment: 3 },
  refunded: { dispute: 0.5 },
};

/** The next step of a random life. */
export function chooseNext(random: Random, situation: Situation): Command {
  const { evidence, offers, hasOpenReport, isReserved } = situation;
  const isDisputed = evidence.disputes.some(({ status }) => /response|review/.test(status));
  const weights: Weights = {
    ...always,
    ...byState[evidence.rows.state],
    ...(offers.length > 0 && { act: 12 }),
    ...(evidence.rows.waitingRequestIds.length > 0 && { decide: 10, role: 4 }),
    ...(hasOpenReport && { conclude: 6, agree: 6 }),
    ...(isReserved && { payByHand: 6, reportPayment: 6, dropReservation: 2 }),
    ...(evidence.rows.stops.length > 0 && { lift: 8 }),
    ...(isDisputed && { decideDispute: 4 }),
  };
  return steps[choose(random, weights as Record<StepName, number>)](random, situation) as Command;
}

export function chooseStart(random: Random): Start {
  const names = Object.keys(cards) as (keyof typeof cards)[];
  return { amount: pick(random, ['small', 'large']), card: oneIn(random, 5) ? pick(random, names) : 'plain' };
}

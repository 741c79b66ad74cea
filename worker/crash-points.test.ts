import { beforeAll, expect, test } from 'vitest';
import type { TransferState } from '#core/transfers/states';
import { approveComplaint, concludeComplaint } from '#domain/complaint-handling/conclude';
import { reportComplaint } from '#domain/complaint-handling/report';
import { findComplaintsOf } from '#domain/complaints/complaint.repository';
import type { JobContext } from '#domain/jobs/job-context';
import { expirePayment } from '#domain/payments/expire';
import { storeStripeEvent } from '#domain/payments/stripe-event.repository';
import { sweepStripeEvents } from '#domain/payments/sweep-stripe-events';
import { sweepTransfers } from '#domain/payments/sweep-transfers';
import { sweepLostJobs } from '#domain/row-jobs/lost-jobs';
import { moveTransfer } from '#domain/transfers/move-transfer';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestUser } from '../testing/accounts.ts';
import { CrashingProcess, type CrashPoint } from './testing/crash-points.ts';
import { runRequested, useTransferFixture } from './testing/transfer-fixture.ts';

// Every journey through every commit and call, without a queue: a job is only a signal, and after a crash the queue either gives it to
// another process or has lost it. That both kinds of queues do the former is shown by `queue-crashes.test.ts`.

const fixture = useTransferFixture();
const admins = { first: '', second: '' };
beforeAll(async () => {
  admins.first = (await createTestUser(fixture.database, { role: 'admin' })).id;
  admins.second = (await createTestUser(fixture.database, { role: 'admin' })).id;
});

/** Jobs that move a transfer forward, without mere notifications. */
const jobsOfMoney = {
  kind: 'job',
  name: { $nin: ['send-email', 'send-web-push', 'deliver-event', 'screen-names'] },
} as const;

type Act = (context: JobContext, id: string) => Promise<unknown>;

/** Stripe's event about the held card reaches the api: it is committed with its job. */
const webhook: Act = async ({ database, now }, id) => {
  const [event] = await fixture.events(id, 'payment_intent.amount_capturable_updated');
  if (!event) throw new Error('Stripe has no event about the hold');
  await database.transaction((em) => storeStripeEvent(em, event, now()));
};
const approve: Act = (context, id) => fixture.approve(id, context);
const reject: Act = (context, id) => fixture.reject(id, context);
/** The sender enters another account; on a retry the transfer is already under way. */
const payAgain: Act = ({ database, now }, id) =>
  database.transaction((em) => moveTransfer(em, id, 'pay_again', { at: now() }));
/** Two admins decide on a sender's report: the family is paid again. A person whose request got no answer repeats it. */
const decideToPayAgain: Act = async ({ database, now }, id) => {
  const { userId } = await fixture.see(id);
  const at = now();
  const [known] = await findComplaintsOf(database.fork(), id);
  const input = {
    userId,
    transferId: id,
    reason: 'wrong_amount',
    wants: 'delivery',
    description: 'Faltaba.',
    at,
  } as const;
  const { id: complaintId, state } = known ?? (await reportComplaint(database, input));
  const act = { complaintId, at };
  if (state === 'investigating') {
    const result = { finding: 'error', explanation: 'Faltaba.', remedy: 'pay_again', payout: 30_000n } as const;
    await concludeComplaint(database, { ...act, ...result, adminId: admins.first, twoPersonsUsdMinor: 50_000n });
  }
  const complaints = await findComplaintsOf(database.fork(), id);
  const waiting = complaints.find((one) => one.state === 'awaiting_approval');
  const policy = { screens: false, screeningWaitMs: 0 };
  if (!waiting) return;
  const foundAt = waiting.foundAt ?? undefined;
  await approveComplaint(database, { ...act, adminId: admins.second, approve: true, foundAt, note: '', policy });
};
/** No action: the payout is due, as the first journey shows for every approved transfer. */
const noAct: Act = async () => {};
/** The sweep comes by after the quote has run out. */
const expire: Act = (context, id) => expirePayment(context, id);
const cancel: Act = (context, id) => fixture.cancel(id, context);

interface Stage {
  /** A commit of the api. A person whose request got no answer repeats it; a webhook may be lost. */
  readonly act: Act;
  /** How many of the requested jobs run before the next stage; all of them unless given. */
  readonly jobs?: number;
}

interface Journey {
  /** Where it begins. */
  readonly from: 'awaiting_payment' | 'held' | 'in_review' | 'captured';
  readonly stages: readonly Stage[];
  /** Why the bank refuses the first payout, if it does. */
  readonly bankRefuses?: 'refused' | 'account_not_found';
  /** Whether the family is paid a second time. */
  readonly paidTwice?: boolean;
  /** Where the transfer may end; without a crash in the first of them. */
  readonly ends: readonly [TransferState, ...TransferState[]];
  /** Outside calls among its crash points. */
  readonly calls: readonly string[];
}

const journeys: Readonly<Record<string, Journey>> = {
  'approved, captured and paid out': {
    from: 'held',
    stages: [{ act: webhook }, { act: approve }],
    ends: ['completed'],
    calls: ['stripe.paymentIntents.retrieve', 'stripe.paymentIntents.capture', 'bank.pay'],
  },
  rejected: {
    from: 'in_review',
    stages: [{ act: reject }],
    ends: ['rejected'],
    calls: ['stripe.paymentIntents.cancel'],
  },
  'cancelled before the decision': {
    from: 'in_review',
    stages: [{ act: cancel }],
    ends: ['cancelled'],
    calls: ['stripe.paymentIntents.cancel'],
  },
  'cancelled between approval and capture': {
    from: 'in_review',
    stages: [{ act: approve, jobs: 0 }, { act: cancel }],
    ends: ['cancelled'],
    calls: ['stripe.paymentIntents.cancel'],
  },
  'cancelled between capture and payout': {
    from: 'in_review',
    stages: [{ act: approve, jobs: 1 }, { act: cancel }],
    // A capture whose job crashed may not have happened before the cancellation; where it had, the next job is the payout.
    ends: ['refunded', 'cancelled', 'completed'],
    calls: ['stripe.paymentIntents.capture', 'stripe.refunds.create'],
  },
  'refused because of the account, corrected and paid': {
    from: 'captured',
    stages: [{ act: noAct }, { act: payAgain }],
    bankRefuses: 'account_not_found',
    ends: ['completed'],
    calls: ['bank.pay'],
  },
  'refused because of the account and given back': {
    from: 'captured',
    stages: [{ act: noAct }, { act: cancel }],
    bankRefuses: 'account_not_found',
    ends: ['refunded'],
    calls: ['bank.pay', 'stripe.refunds.create'],
  },
  'paid, and paid again for what its sender reported': {
    from: 'captured',
    stages: [{ act: noAct }, { act: decideToPayAgain }],
    paidTwice: true,
    ends: ['completed'],
    calls: ['bank.pay'],
  },
  'left unpaid until its quote runs out': {
    from: 'awaiting_payment',
    stages: [{ act: expire }],
    ends: ['expired'],
    calls: ['stripe.paymentIntents.cancel'],
  },
};

/**
 * Recovery of a job whose process died: the queue gives it to another process, or it is lost and a sweep requeues it.
 */
type Recovery = 'retried' | 'lost';

/** A crash before a commit and one after the commit before it leave the same data behind: each recovery once. */
const atCommits = [
  ['before', 'lost'],
  ['after', 'retried'],
] as const;
const atCalls = [...atCommits, ['after', 'lost']] as const;

/** Takes one transfer through a journey; the process dies at `point`, and a fresh one carries on. Returns the points passed. */
async function travel(
  { from, stages, bankRefuses, ends, paidTwice = false }: Journey,
  recovery: Recovery,
  point?: CrashPoint,
) {
  fixture.now = new Date();
  const id = await fixture.create({ state: from });
  // The payout of a captured transfer is the next one.
  if (from !== 'captured') await fixture.loseJobs(id);
  fixture.bank.setMode({
    rejectNext: bankRefuses ? 1 : 0,
    rejection: { code: bankRefuses ?? '', message: 'No.' },
  });
  const crashing = new CrashingProcess(fixture.context, point);
  let lost = false;

  const survive = async (work: (context: JobContext) => Promise<unknown>, again: boolean) => {
    if (crashing.dead) return work(fixture.context);
    try {
      await work(crashing.context);
    } catch (error) {
      if (!crashing.dead) throw error;
    }
    if (!crashing.dead) return;
    if (again) await work(fixture.context);
    else lost = true;
  };
  const runJobs = async (most = Number.POSITIVE_INFINITY) => {
    for (let count = 0; count < most; count += 1) {
      const em = fixture.database.fork();
      const row = await em.findOne(OutboxRow, { ...jobsOfMoney, runAt: null }, { orderBy: { id: 'asc' } });
      if (!row) return;
      await em.nativeDelete(OutboxRow, { id: row.id });
      await survive((context) => runRequested(context, row), recovery === 'retried');
    }
  };

  for (const { act, jobs } of stages) {
    await survive((context) => act(context, id), act !== webhook || recovery === 'retried');
    await runJobs(jobs);
    if (!lost) continue;
    lost = false;
    fixture.later(2 * fixture.context.sweepEveryMs);
    await sweepStripeEvents(fixture.context);
    await sweepTransfers(fixture.context);
    await sweepLostJobs(fixture.context);
    await runJobs(jobs);
  }
  const end = await fixture.expectEnd(id, ...ends);
  if (!point) expect(end).toBe(ends[0]);
  expect((await fixture.see(id)).paidAgainMinor > 0n).toBe(paidTwice);
  const steps = await fixture.steps(id);
  expect(steps).toEqual([...new Set(steps)]);
  expect(await fixture.database.fork().count(OutboxRow, { ...jobsOfMoney, runAt: null })).toBe(0);
  return crashing.passed;
}

test.each(Object.entries(journeys))(
  'a transfer that is %s survives a crash before and after each commit and outside call',
  { timeout: 60_000 },
  async (_name, journey) => {
    const points = await travel(journey, 'retried');
    expect(points).toEqual(expect.arrayContaining(['commit', ...journey.calls]));
    for (const [index, name] of points.entries()) {
      for (const [moment, recovery] of name === 'commit' ? atCommits : atCalls) {
        await travel(journey, recovery, { at: index, moment }).catch((error: Error) => {
          throw new Error(`crash ${moment} point ${index} (${name}), job ${recovery}: ${error.message}`);
        });
      }
    }
  },
);

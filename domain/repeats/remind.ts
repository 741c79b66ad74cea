import type { ReminderProblem } from '#core/contracts/http/repeats';
import { formatMinor } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import { payoutMethodOf } from '#core/recipients/banks';
import { accountEnding } from '#core/recipients/same';
import { dueAt } from '#core/repeats/schedule';
import { arrivalTimeFor } from '#core/transfers/arrival-times';
import { estimateDelivery } from '#core/transfers/delivery';
import { limitBroken, limitsLeft, limitsOfTier, toUsdMinor } from '#core/transfers/limits';
import { makeQuote, type Quote } from '#core/transfers/quote';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { findUser, lockUser } from '../accounts/account.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import type { EmailData } from '../emails/email-kinds.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import { readArrivalTimes } from '../payouts/arrival-times.ts';
import { type CurrentRates, currentRates } from '../rates/current-rates.ts';
import { findRecipientsById, type Recipient } from '../recipients/recipient.repository.ts';
import { findCountedPayments, sumSent } from '../transfers/transfer-figures.repository.ts';
import { amountToPay } from './plans.ts';
import { findDuePlans, insertReminder, type RepeatPlan, takeDuePlan } from './repeat.repository.ts';

/** Maximum plans per sweep, longest due first. */
const most = 500;

type Context = Pick<JobContext, 'database' | 'fee' | 'limits' | 'log' | 'now' | 'pauseAfterMs'>;

/** Data looked up once for all reminders of a round. */
interface Round {
  readonly at: Date;
  readonly rates: CurrentRates | null;
  readonly arrivals: Awaited<ReturnType<typeof readArrivalTimes>>;
}

/**
 * Sends the due reminders of repeating transfers. The reminder, its e-mail and the next date are one commit, and each
 * period has one, however many workers run this. If several periods were missed, only the latest is reminded.
 */
export async function remindOfRepeats(context: Context): Promise<void> {
  const { database } = context;
  const at = context.now();
  const due = await findDuePlans(database.fork(), { now: at, limit: most });
  if (due.length === 0) return;
  const rates = await currentRates(database.fork(), { now: at, pauseAfterMs: context.pauseAfterMs });
  const round: Round = { at, rates, arrivals: await readArrivalTimes(database.fork(), at) };
  await sweepEach(context, 'reminder of a repeating transfer', due, ({ id, userId }) =>
    database.transaction(async (em) => {
      // The account is locked first, as by every change of a plan and every payment.
      await lockUser(em, userId);
      const plan = await takeDuePlan(em, id, at);
      if (plan) await remind(em, context, plan, round);
    }),
  );
}

async function remind(em: EntityManager, context: Context, plan: RepeatPlan, round: Round): Promise<void> {
  const { at } = round;
  const due = dueAt(plan, plan.nextDay, at);
  if (!due) return;
  const [recipient] = await findRecipientsById(em, [plan.recipientId]);
  const facts = await today(em, context, plan, { ...round, recipient });
  const { problem } = facts;
  const period = due.due.day;
  const id = await insertReminder(em, plan, { period, lapsesAt: due.next.at, problem, skippedAt: null, at });
  plan.nextDay = due.next.day;
  plan.nextAt = due.next.at;
  // Without a recipient, every further reminder would be the same.
  if (problem === 'recipient_gone') plan.state = 'paused';
  await em.flush();
  if (id === null) return;
  const data = { ...facts, reminderId: id, every: plan.every, currency: plan.currency };
  await addEmail(em, {
    kind: 'repeat_reminder',
    key: `repeat_reminder-${plan.id}-${period}`,
    data: { ...data, lapsesAt: due.next.at.toISOString() },
    at,
    userId: plan.userId,
  });
  addPush(em, 'repeats-changed', { userId: plan.userId });
  await em.flush();
}

/** Today's amounts of the transfer, and what prevents it. */
async function today(
  em: EntityManager,
  { fee, limits: tiered }: Context,
  plan: RepeatPlan,
  { at, rates, arrivals, recipient }: Round & { recipient: Recipient | undefined },
): Promise<
  Pick<EmailData<'repeat_reminder'>, 'problem' | 'figures' | 'bank' | 'account' | 'measured' | 'availableAt'>
> {
  const none = { figures: null, bank: null, account: null, measured: null, availableAt: null };
  if (!recipient || recipient.removedAt) return { ...none, problem: 'recipient_gone' };
  const { bankName, bankAccount } = recipient;
  const whom = { ...none, bank: bankName, account: accountEnding(bankAccount) };
  if (!rates) return { ...whom, problem: 'rate_unavailable' };
  const { currency, userId } = plan;
  const { rate, paused } = rates[currency];
  // A rate that is too old is not today's.
  if (paused) return { ...whom, problem: 'payments_paused' };
  const quote = makeQuote({ amountMinor: amountToPay(plan, rates, fee), currency, rate, referenceRate: null, fee });
  const measured = arrivalTimeFor(arrivals, bankName, at);
  const facts = { ...whom, measured, figures: figuresOf(quote, estimateDelivery(at, payoutMethodOf(bankName))) };
  const amount = { minor: quote.amountMinor, currency };
  const limits = limitsOfTier(tiered, (await findUser(em, userId))?.tier ?? 'email');
  const problem: ReminderProblem | null = limitBroken(amount, rates.eurUsd, limits, await sumSent(em, userId, at));
  if (problem !== 'day_limit_reached' && problem !== 'month_limit_reached') return { ...facts, problem };
  const usdMinor = toUsdMinor(quote.amountMinor, currency, rates.eurUsd);
  const { availableAt } = limitsLeft(usdMinor, limits, await findCountedPayments(em, userId, at), at);
  return { ...facts, problem, availableAt: availableAt?.toISOString() ?? null };
}

function figuresOf({ amountMinor, feeMinor, bolivianosMinor, rate }: Quote, arrival: Date) {
  return {
    ...{ amount: formatMinor(amountMinor), fee: formatMinor(feeMinor), bolivianos: formatMinor(bolivianosMinor) },
    ...{ rate: formatRate(rate), arrival: arrival.toISOString() },
  };
}

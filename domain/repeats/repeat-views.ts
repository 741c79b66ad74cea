import type { ReminderState, ReminderView, RepeatView } from '#core/contracts/http/repeats';
import { formatMinor } from '#core/money/money';
import { paidStates } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { findRecipientsById } from '../recipients/recipient.repository.ts';
import { findTransfersById, type Transfer } from '../transfers/transfer.repository.ts';
import { findOpenReminders, findPlanOf, type RepeatPlan, type RepeatReminder } from './repeat.repository.ts';

/** The state of a reminder; `transfers` includes those that were opened with it. */
export function reminderState(
  { skippedAt, lapsesAt, problem, transferIds }: RepeatReminder,
  plan: Pick<RepeatPlan, 'state'>,
  transfers: readonly Pick<Transfer, 'id' | 'state'>[],
  at: Date,
): ReminderState {
  // One that was not charged in the end, or was refunded, leaves the reminder unpaid.
  if (transfers.some(({ id, state }) => paidStates.includes(state) && transferIds.includes(id))) return 'paid';
  if (skippedAt) return 'skipped';
  // Without a recipient the plan was paused, and a new recipient gets a new reminder.
  return lapsesAt <= at || plan.state !== 'active' || problem === 'recipient_gone' ? 'lapsed' : 'open';
}

/** Plans of one sender as they see them, each with the reminder that can be paid. */
export async function toRepeatViews(em: EntityManager, plans: readonly RepeatPlan[], at: Date): Promise<RepeatView[]> {
  const reminders = await findOpenReminders(
    em,
    plans.map(({ id }) => id),
    at,
  );
  const transfers = await transfersOf(em, reminders);
  const recipients = await findRecipientsById(
    em,
    plans.map(({ recipientId }) => recipientId),
  );
  return plans.map((plan) => {
    const open = reminders
      .filter(({ planId }) => planId === plan.id)
      .map((reminder) => toReminder(reminder, plan, transfers, at))
      .find(({ state }) => state === 'open');
    const recipient = recipients.find(({ id }) => id === plan.recipientId);
    return {
      id: plan.id,
      state: plan.state,
      recipient: {
        ...{ id: plan.recipientId, name: recipient?.name ?? '', bankName: recipient?.bankName ?? '' },
        removed: recipient?.removedAt !== null,
      },
      ...{ fixed: plan.fixed, amount: formatMinor(plan.amountMinor), currency: plan.currency },
      ...{ every: plan.every, day: plan.day ?? null, hour: plan.hour, zone: plan.zone },
      ...{ nextDay: plan.nextDay, nextAt: plan.nextAt.toISOString() },
      reminder: open ?? null,
      createdAt: plan.createdAt.toISOString(),
    };
  });
}

/** One plan as its sender sees it. */
export async function toRepeatView(em: EntityManager, plan: RepeatPlan, at: Date): Promise<RepeatView> {
  return (await toRepeatViews(em, [plan], at))[0] as RepeatView;
}

/** A reminder with its plan as its sender sees it, in any state of both. */
export async function toReminderView(em: EntityManager, reminder: RepeatReminder, at: Date): Promise<ReminderView> {
  const plan = await findPlanOf(em, reminder);
  const transfers = await transfersOf(em, [reminder]);
  return { ...toReminder(reminder, plan, transfers, at), repeat: await toRepeatView(em, plan, at) };
}

function transfersOf(em: EntityManager, reminders: readonly RepeatReminder[]): Promise<Transfer[]> {
  return findTransfersById(
    em,
    reminders.flatMap(({ transferIds }) => transferIds),
  );
}

function toReminder(reminder: RepeatReminder, plan: RepeatPlan, transfers: readonly Transfer[], at: Date) {
  const own = transfers.filter(({ id }) => reminder.transferIds.includes(id));
  return {
    ...{ id: reminder.id, period: reminder.period, at: reminder.createdAt.toISOString() },
    lapsesAt: reminder.lapsesAt.toISOString(),
    state: reminderState(reminder, plan, transfers, at),
    problem: reminder.problem ?? null,
    transferId: (own.find(({ state }) => paidStates.includes(state)) ?? own.find(({ paidAt }) => paidAt))?.id ?? null,
  };
}

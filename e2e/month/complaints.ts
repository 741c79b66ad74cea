import { expect } from 'vitest';
import type { AdminComplaintView, ComplaintView } from '#core/contracts/http/complaints';
import { endpoints } from '#core/contracts/http/endpoints';
import { dayMs, minuteMs } from '#core/time/time';
import { payoutIdOf } from '#domain/payouts/apply-payout';
import { until } from '../until.ts';
import { toText } from './books.ts';
import { sessions } from './calendar.ts';
import { caseOf } from './desk.ts';
import { afterDays, afterWorkingDays, type PlaceName } from './law.ts';
import {
  adminsFor,
  feeIn,
  later,
  type Month,
  netOf,
  noteLoss,
  notePaidAgain,
  type Reported,
  type Sent,
  type World,
} from './world.ts';

/** What a sender reports. */
export type Problem = Pick<ComplaintView, 'reason' | 'wants'>;

/** Where the law of a report counts its days: cards of Stripe's test mode are American but for a few. */
const placeOf = ({ regime }: Pick<ComplaintView, 'regime'>): PlaceName =>
  regime === 'psd2' ? 'europe' : 'united_states';

/** Until when the law wants an answer to a report of a day: 90 days of Regulation E, or 15 working days, 35 after a reply that it takes longer. */
function answerBy(one: Pick<ComplaintView, 'regime'>, day: string, isHeld = false): Date {
  if (one.regime === 'reg_e') return afterDays(day, 90, 'united_states');
  return afterWorkingDays(day, isHeld ? 35 : 15, placeOf(one));
}

/** A sender reports a problem, which is acknowledged at once with the day until which it is answered. */
export async function report({ clock }: World, sent: Sent, { reason, wants }: Problem): Promise<Reported> {
  const body = { reason, wants, description: 'La familia dice que algo no está bien con este envío.' };
  const made = await sent.sender.person.call(endpoints.reportComplaint, { params: { id: sent.id }, body });
  const { id, regime } = made;
  const { day } = clock;
  expect(made).toMatchObject({ inTime: true, state: 'investigating' });
  expect(made.nextDue?.at).toBe(answerBy(made, day).toISOString());
  expect(made.letters.map(({ kind }) => kind)).toEqual(['received']);
  return { sent, id, day, regime, reason };
}

export async function see(world: World, { sent, id }: Reported): Promise<AdminComplaintView> {
  const [admin] = adminsFor(world, sent);
  return (await admin.call(endpoints.adminComplaint, { params: { id } })).complaint;
}

/** An admin records the result; a second one approves large refunds. Returns the updated report. */
export async function conclude(
  world: World,
  { sent, id }: Reported,
  result: {
    finding: 'error' | 'no_error' | 'answered';
    remedy?: 'refund' | 'fee_refund' | 'pay_again';
    amount?: string;
    payout?: string;
    recipient_id?: string;
  },
): Promise<AdminComplaintView> {
  const [first, second] = adminsFor(world, sent);
  const params = { id };
  const body = { explanation: 'Revisamos el envío con el banco.', ...result };
  const { complaint } = await first.call(endpoints.concludeComplaint, { params, body });
  if (complaint.state !== 'awaiting_approval') return complaint;
  const approval = { params, body: { approve: true, found_at: complaint.found_at ?? undefined } };
  await expect(first.call(endpoints.approveComplaint, approval)).rejects.toMatchObject({ code: 'own_request' });
  return (await second.call(endpoints.approveComplaint, approval)).complaint;
}

/** The error is corrected with money that goes back to the card although the family was paid: our loss. */
export async function giveBack(world: World, reported: Reported, minor: bigint, isFee = false): Promise<void> {
  const { day } = world.clock;
  const refund = isFee ? { remedy: 'fee_refund' as const } : { remedy: 'refund' as const, amount: toText(minor) };
  const concluded = await conclude(world, reported, { finding: 'error', ...refund });
  const correct = concluded.clocks.find(({ name }) => name === 'correct');
  expect(correct?.due_at).toBe(afterWorkingDays(day, 1, placeOf(reported)).toISOString());
  noteLoss(world, reported.sent, minor);
  await untilClosed(world, reported);
  const { letters } = await see(world, reported);
  expect(letters.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['received', 'result', 'corrected']));
}

/**
 * The family is paid a second time, centavos that two persons decide on: our loss. Under Regulation E the fee of money that did not come goes
 * back, too, unless it did before. `to`: another recipient of the sender; the account that was paid unless given.
 */
export async function payAgain(
  world: World,
  reported: Reported,
  { minor, to, feeReturned = false }: { minor: bigint; to?: string; feeReturned?: boolean },
): Promise<void> {
  const { sent, regime, reason } = reported;
  const payout = toText(minor);
  const result = { finding: 'error', remedy: 'pay_again', payout, ...(to && { recipient_id: to }) } as const;
  const concluded = await conclude(world, reported, result);
  expect(concluded).toMatchObject({ payout: { amount: payout }, approved_by: expect.any(String) });
  await untilClosed(world, reported);
  notePaidAgain(world, sent, minor);
  if (regime === 'reg_e' && reason === 'not_received' && !feeReturned) noteLoss(world, sent, feeIn(sent));
  expect((await see(world, reported)).second_payout).toMatchObject({ status: 'succeeded', amount: payout });
}

/** The bank gives a second payout back, all of it: its report is investigated again, which its sender is written. */
export async function returnSecond(world: World, reported: Reported, minor: bigint): Promise<void> {
  const { sent } = reported;
  const { second_payout: second } = await see(world, reported);
  await world.app.sandbox.returnPayout(payoutIdOf({ transferId: sent.id, sequence: second?.sequence ?? 0 }));
  await until('the report is investigated again', async () => (await see(world, reported)).state === 'investigating');
  notePaidAgain(world, sent, -minor);
  expect((await see(world, reported)).letters.map(({ kind }) => kind)).toContain('reopened');
  await caseOf(world, sent, 'correction_failed');
}

/** Waits until a report is corrected and its sender knows it. */
export async function untilClosed(world: World, reported: Reported): Promise<void> {
  await until('the report is closed', async () => (await see(world, reported)).state === 'closed');
}

/** Concludes a report without a correction; the sender gets the result by e-mail. */
export async function answer(world: World, reported: Reported, finding: 'no_error' | 'answered'): Promise<void> {
  const { state, letters } = await conclude(world, reported, { finding });
  expect(state).toBe('closed');
  expect(letters.map(({ kind }) => kind)).toContain('result');
}

/** The sender is written why the answer takes longer, which the law allows under PSD2 alone. */
export async function hold(world: World, reported: Reported): Promise<void> {
  const [admin] = adminsFor(world, reported.sent);
  const body = { reason: 'El banco de la familia todavía no respondió.' };
  const { complaint } = await admin.call(endpoints.holdComplaint, { params: { id: reported.id }, body });
  expect(complaint.next_due?.at).toBe(answerBy(reported, reported.day, true).toISOString());
}

/** Whom the product wrote about a report whose time is near or over. */
export async function expectReminders(
  world: World,
  reported: Reported,
  stages: readonly ('near' | 'overdue')[],
): Promise<void> {
  const { reminders } = await see(world, reported);
  expect(reminders.map(({ stage }) => stage).sort()).toEqual([...stages].sort());
  for (const { told } of reminders) expect(told).toHaveLength(world.admins.length);
}

/** Registers a report that is not answered in time, by the session of its deadline. */
export function watchDeadline(world: World, reported: Reported): void {
  const due = answerBy(reported, reported.day).getTime();
  const over = sessions.find(({ at }) => at.getTime() > due);
  if (!over) return;
  const from = world.session.number;
  later(world, over.number - 1 - from, () => expectReminders(world, reported, ['near']));
  later(world, over.number - from, async () => {
    await expectReminders(world, reported, ['near', 'overdue']);
    await answer(world, reported, 'no_error');
    const { clocks } = await see(world, reported);
    const clock = clocks.find(({ name }) => name === 'answer');
    expect(clock?.due_at).toBe(new Date(due).toISOString());
    expect(Date.parse(clock?.done_at ?? '')).toBeGreaterThan(due);
  });
}

/**
 * Lets the 90 days of unanswered reports pass: admins are notified ten days before the deadline and after it. The
 * result then starts new clocks, until the money is back with its sender.
 */
export async function outliveDeadlines(
  world: World,
  { rest, accounts }: Pick<Month, 'rest' | 'accounts'>,
): Promise<void> {
  const { clock, app } = world;
  expect(world.unanswered).not.toHaveLength(0);
  for (const reported of world.unanswered) {
    const due = answerBy(reported, reported.day);
    const at = async (moment: number, stages: readonly ('near' | 'overdue')[]) => {
      await clock.jumpTo(new Date(moment));
      await rest.untilSwept(clock.now());
      await world.admins[0].call(endpoints.runReconciliation);
      await rest.untilQuiet();
      await expectReminders(world, reported, stages);
    };
    await at(due.getTime() - 11 * dayMs, []);
    await at(due.getTime() - 9 * dayMs, ['near']);
    await at(due.getTime() + minuteMs, ['near', 'overdue']);
    for (const { email } of accounts) {
      await until('the admins were written', async () => {
        const subjects = (await app.sandbox.mails(email)).map(({ subject }) => subject);
        return ['vence pronto', 'está vencido'].every((what) =>
          subjects.includes(`Un reclamo ${what}: averiguar qué pasó`),
        );
      });
    }
    await giveBack(world, reported, netOf(reported.sent) / 2n);
    const { clocks } = await see(world, reported);
    const tellBy = afterWorkingDays(clock.day, 3, 'united_states');
    expect(clocks.map(({ name, due_at }) => [name, due_at])).toEqual([
      ['investigate', due.toISOString()],
      ['tell', tellBy.toISOString()],
      ['correct', afterWorkingDays(clock.day, 1, 'united_states').toISOString()],
    ]);
    for (const { name, due_at, done_at } of clocks) {
      expect([name, Date.parse(done_at ?? '') > Date.parse(due_at)]).toEqual([name, name === 'investigate']);
    }
  }
}

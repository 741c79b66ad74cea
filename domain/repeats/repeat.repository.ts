import { randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { ReminderProblem, RepeatRequest } from '#core/contracts/http/repeats';
import type { Occurrence } from '#core/repeats/schedule';
import { paidStates } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { notOnLegalHold } from '../accounts/legal-hold.repository.ts';
import { RepeatPlan, RepeatReminder } from './repeat.entity.ts';

export type { RepeatPlan, RepeatReminder } from './repeat.entity.ts';

/** A page of a user's plans that have not ended, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findPlans(em: EntityManager, userId: string, query: PageQuery): Promise<Page<RepeatPlan>> {
  const where = { userId, state: { $ne: 'ended' as const } };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(await em.findByCursor(RepeatPlan, { where, orderBy, ...pageOptions(query, 'created') }));
}

/** All of a user's plans that have not ended; the caller holds the lock of the account. */
export function findAllPlans(em: EntityManager, userId: string): Promise<RepeatPlan[]> {
  return em.find(RepeatPlan, { userId, state: { $ne: 'ended' } });
}

/** A user's own plan that has not ended. @throws Failure `not_found`, also for another user's. */
export async function findPlan(em: EntityManager, userId: string, id: string): Promise<RepeatPlan> {
  const plan = await em.findOne(RepeatPlan, { id, userId, state: { $ne: 'ended' } }, { refresh: true });
  if (!plan) throw new Failure('not_found');
  return plan;
}

export async function insertPlan(
  em: EntityManager,
  { userId, request, next, at }: { userId: string; request: RepeatRequest; next: Occurrence; at: Date },
): Promise<RepeatPlan> {
  const { from: _counted, ...what } = request;
  const plan = em.create(RepeatPlan, {
    ...{ id: randomUUID(), userId, state: 'active', ...what, nextDay: next.day, nextAt: next.at },
    ...{ createdAt: at, changedAt: at },
  });
  await em.persist(plan).flush();
  return plan;
}

/** The plans whose reminder is due, longest due first. */
export async function findDuePlans(
  em: EntityManager,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string; userId: string }[]> {
  const plans = await em.find(
    RepeatPlan,
    { state: 'active', nextAt: { $lte: now } },
    { orderBy: { nextAt: 'asc' }, limit },
  );
  return plans.map(({ id, userId }) => ({ id, userId }));
}

/** Locks a plan whose reminder is still due until the transaction ends; null if it is not, or another worker has it. */
export async function takeDuePlan(em: EntityManager, id: string, now: Date): Promise<RepeatPlan | null> {
  const [taken] = await em.execute<{ id: string }[]>(
    `select id from repeat_plan where id = ? and state = 'active' and next_at <= ? for update skip locked`,
    [id, now],
  );
  return taken ? em.findOne(RepeatPlan, { id }, { refresh: true }) : null;
}

/** Inserts a reminder; null if its period already has one. */
export async function insertReminder(
  em: EntityManager,
  plan: Pick<RepeatPlan, 'id' | 'userId'>,
  reminder: { period: string; lapsesAt: Date; problem: ReminderProblem | null; skippedAt: Date | null; at: Date },
): Promise<string | null> {
  const { at, ...rest } = reminder;
  const id = randomUUID();
  const { affectedRows } = await em
    .createQueryBuilder(RepeatReminder)
    .insert({ id, planId: plan.id, userId: plan.userId, createdAt: at, transferIds: [], ...rest })
    .onConflict(['planId', 'period'])
    .ignore()
    .execute();
  return affectedRows > 0 ? id : null;
}

/** A user's own reminder. @throws Failure `not_found`, also for another user's. */
export async function findReminder(em: EntityManager, userId: string, id: string): Promise<RepeatReminder> {
  const reminder = await em.findOne(RepeatReminder, { id, userId }, { refresh: true });
  if (!reminder) throw new Failure('not_found');
  return reminder;
}

/**
 * Whether another transfer has paid the reminder of a transfer. The caller holds the lock of the account, like every
 * payment that is authorized, so that the answer stays true.
 */
export async function isPaidByAnother(
  em: EntityManager,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const [{ paid }] = await em.execute<[{ paid: boolean }]>(
    `select exists (
       select from repeat_reminder as r join transfer as t on t.id = any(r.transfer_ids::uuid[])
       where r.user_id = ? and ? = any(r.transfer_ids) and t.id <> ? and t.state = any (?::text[])
     ) as paid`,
    [userId, id, id, `{${paidStates.join(',')}}`],
  );
  return paid;
}

/** The reminder that a transfer was opened with, or null. */
export function findReminderOfTransfer(
  em: EntityManager,
  { id, userId }: { id: string; userId: string },
): Promise<RepeatReminder | null> {
  return em.findOne(RepeatReminder, { userId, transferIds: { $contains: [id] } });
}

/** The plan of a reminder, even if it has ended. */
export function findPlanOf(em: EntityManager, { planId }: RepeatReminder): Promise<RepeatPlan> {
  return em.findOneOrFail(RepeatPlan, { id: planId });
}

/** The reminder of a period, or null. */
export function findReminderOf(em: EntityManager, planId: string, period: string): Promise<RepeatReminder | null> {
  return em.findOne(RepeatReminder, { planId, period });
}

/** The reminders of plans that have not lapsed or been skipped. */
export function findOpenReminders(em: EntityManager, planIds: readonly string[], now: Date): Promise<RepeatReminder[]> {
  const where = { planId: { $in: [...planIds] }, skippedAt: null, lapsesAt: { $gt: now } };
  return em.find(RepeatReminder, where, { orderBy: { period: 'desc' } });
}

/** Deletes plans that ended before a moment, with their reminders. */
export async function deleteEndedPlans(em: EntityManager, before: Date): Promise<void> {
  await em.nativeDelete(RepeatPlan, { state: 'ended', changedAt: { $lt: before }, ...notOnLegalHold() });
}

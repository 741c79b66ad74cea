import { Failure } from '#core/contracts/failures';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import type { PayoutRail, StopCause, StopScope } from '#core/money-stops/money-stop';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { findUser, isStillPermitted, lockUsers, requireSecondPerson } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import { resumeStopped } from '../provider-calls/operation.repository.ts';
import { findActiveStops, insertStop, lockStop, type MoneyStop, updateStop } from './money-stop.repository.ts';
import { toMoneyStopViews } from './money-stop-views.ts';

/** The active stops as admins see them. */
export async function viewActiveStops(em: EntityManager): Promise<MoneyStopView[]> {
  return toMoneyStopViews(em, await findActiveStops(em));
}

/** Sets a stop, in the transaction of `em`; one person is enough. @throws Failure `money_stop_active`. */
export async function setMoneyStop(
  em: EntityManager,
  input: { scope: StopScope; rail: PayoutRail | null; reason: string; personId: string; at: Date },
): Promise<MoneyStop> {
  const { personId: setById, ...rest } = input;
  const stop = await insertStop(em, { ...rest, setById });
  if (!stop) throw new Failure('money_stop_active');
  await announceStop(em, stop);
  return stop;
}

/**
 * Sets a stop as the system, in the transaction of `em`. Does nothing if the same one is active; returns whether it was
 * set.
 */
export async function setSystemStop(
  em: EntityManager,
  input: { scope: StopScope; rail: PayoutRail | null; cause: StopCause; at: Date },
): Promise<boolean> {
  const stop = await insertStop(em, { ...input, setById: null });
  if (stop) await announceStop(em, stop);
  return stop !== null;
}

async function announceStop(em: EntityManager, stop: MoneyStop): Promise<void> {
  const { id, scope, rail = null, reason = null, cause = null, setAt: at } = stop;
  const setBy = stop.setById ? ((await findUser(em, stop.setById))?.name ?? '') : null;
  const data = { scope, rail, reason, cause, setBy };
  await addEmailToAdmins(em, { kind: 'money_stopped', key: `money_stopped-${id}`, data, at });
  await record(em, stop, 'money_stop_set', { cause });
}

/**
 * Requests lifting a stop, which a second person has to confirm, in the transaction of `em`. A request whose author may
 * no longer make it is replaced.
 * @throws Failure `not_found`, `money_stop_lifted`, `lift_already_requested`.
 */
export async function requestLift(
  em: EntityManager,
  { stopId, personId, reason, at }: { stopId: string; personId: string; reason: string; at: Date },
): Promise<void> {
  const stop = await lockActiveStop(em, stopId);
  if (await hasValidRequest(em, stop)) throw new Failure('lift_already_requested');
  await updateStop(em, stop, { liftRequestedById: personId, liftRequestedAt: at, liftReason: reason });
  const { scope, rail = null } = stop;
  await addEmailToAdmins(em, {
    kind: 'money_stop_lift_waiting',
    key: `money_stop_lift_waiting-${stopId}-${at.getTime()}`,
    data: { scope, rail, requestedBy: (await findUser(em, personId))?.name ?? '', reason },
    at,
    exceptIds: [personId],
  });
  await record(em, stop, 'money_stop_lift_requested');
}

/**
 * Withdraws the request to lift a stop (its author) or declines it (another person), in the transaction of `em`: the stop stays.
 * @throws Failure `not_found`, `money_stop_lifted`, `lift_not_requested`.
 */
export async function declineLift(em: EntityManager, { stopId }: { stopId: string }): Promise<void> {
  const stop = await lockActiveStop(em, stopId);
  if (!stop.liftRequestedById) throw new Failure('lift_not_requested');
  const detail = { requestedById: stop.liftRequestedById };
  await updateStop(em, stop, { liftRequestedById: null, liftRequestedAt: null, liftReason: null });
  await record(em, stop, 'money_stop_lift_declined', detail);
}

/**
 * Confirms a lift request as the second person: lifts the stop and resumes operations held by it, in the transaction of
 * `em`. The request only counts while its author still holds a role that may make it and is not blocked.
 * @throws Failure `not_found`, `money_stop_lifted`, `lift_not_requested`, `own_request`.
 */
export async function confirmLift(
  em: EntityManager,
  { stopId, personId, at }: { stopId: string; personId: string; at: Date },
): Promise<void> {
  const stop = await lockActiveStop(em, stopId);
  await requireSecondPerson(em, { personId, requestedById: stop.liftRequestedById, at });
  if (!(await hasValidRequest(em, stop))) throw new Failure('lift_not_requested');
  await updateStop(em, stop, { liftedById: personId, liftedAt: at });
  await resumeStopped(em, at);
  const { id, scope, rail = null, liftRequestedById: requestedById, liftReason } = stop;
  const nameOf = async (userId: string | null | undefined) => (userId && (await findUser(em, userId))?.name) || '';
  const data = {
    ...{ scope, rail, setAt: stop.setAt.toISOString(), reason: liftReason ?? '' },
    ...{ requestedBy: await nameOf(requestedById), confirmedBy: await nameOf(personId) },
  };
  await addEmailToAdmins(em, { kind: 'money_stop_lifted', key: `money_stop_lifted-${id}`, data, at });
  await record(em, stop, 'money_stop_lifted', { requestedById });
}

/** @throws Failure `not_found`, `money_stop_lifted`. */
async function lockActiveStop(em: EntityManager, id: string): Promise<MoneyStop> {
  const stop = await lockStop(em, id);
  if (!stop) throw new Failure('not_found');
  if (stop.liftedAt) throw new Failure('money_stop_lifted');
  return stop;
}

/**
 * Whether an admin who still has the permission requested the lift; a change of their role waits for the transaction of
 * `em`.
 */
async function hasValidRequest(em: EntityManager, { liftRequestedById: id }: MoneyStop): Promise<boolean> {
  if (!id) return false;
  await lockUsers(em, [id]);
  return isStillPermitted(em, id, 'requestLift');
}

async function record(
  em: EntityManager,
  { id, scope, rail = null }: MoneyStop,
  kind: Extract<Parameters<typeof writeAudit>[1], `money_stop_${string}`>,
  detail: Record<string, unknown> = {},
): Promise<void> {
  addPush(em, 'money-stops-changed', {});
  await writeAudit(em, kind, { subject: id, detail: { scope, rail, ...detail } });
}

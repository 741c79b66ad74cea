import type { DeliveryError } from '#core/webhooks/events';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';

/** A delivery that was taken for an attempt. */
export interface TakenDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly body: Record<string, unknown>;
  /** Of the request that led to it, where that is known. */
  readonly requestId: string | null;
  /** This attempt counted. */
  readonly attempts: number;
  readonly expiresAt: Date;
  readonly url: string;
  /** Those that sign, the newest first. */
  readonly secrets: readonly string[];
}

/** Takes deliveries that are due, the oldest first, so many of each endpoint at most: a slow receiver holds up no other. */
export async function takeDueDeliveries(
  em: EntityManager,
  { now, leaseMs, each }: { now: Date; leaseMs: number; each: number },
): Promise<TakenDelivery[]> {
  const values = [now, new Date(now.getTime() + leaseMs), each];
  const rows = await runPrepared<Omit<TakenDelivery, 'expiresAt'> & { expiresAt: string }>(em, takeDue, values);
  return rows.map((row) => ({ ...row, expiresAt: new Date(row.expiresAt) }));
}

const takeDue: PreparedStatement = {
  name: 'take-due-deliveries',
  text: `
    with due as (
      select d.id from webhook_endpoint as e cross join lateral (
        select id from webhook_delivery where endpoint_id = e.id and next_attempt_at <= $1
        order by next_attempt_at limit $3 for update skip locked
      ) as d
    )
    update webhook_delivery as d set attempts = d.attempts + 1, next_attempt_at = $2, last_attempt_at = $1
    from due, webhook_endpoint as e where d.id = due.id and e.id = d.endpoint_id
    returning d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", d.body, d.request_id as "requestId", d.attempts, d.expires_at as "expiresAt", e.url,
      case when e.previous_secret_until > $1 then array[e.secret, e.previous_secret] else array[e.secret] end as secrets`,
};

/** Whether deliveries are due. */
export async function hasDueDeliveries(em: EntityManager, now: Date): Promise<boolean> {
  const [found] = await runPrepared<{ due: boolean }>(em, findDue, [now]);
  return found?.due ?? false;
}

const findDue: PreparedStatement = {
  name: 'find-due-deliveries',
  text: 'select exists (select from webhook_delivery where next_attempt_at <= $1) as due',
};

/** What came of an attempt. */
export interface AttemptResult {
  readonly responseStatus: number | null;
  readonly error: DeliveryError | null;
  /** When it is attempted again; null when that is over, or not needed. */
  readonly nextAttemptAt: Date | null;
  readonly at: Date;
}

/**
 * Writes down what came of an attempt, with a commit of its own. Returns since when the endpoint takes nothing, null where it takes events; undefined,
 * with nothing written, when another attempt was begun meanwhile or the delivery was stopped.
 */
export async function writeAttempt(
  em: EntityManager,
  { id, endpointId, attempts }: Pick<TakenDelivery, 'id' | 'endpointId' | 'attempts'>,
  { responseStatus, error, nextAttemptAt, at }: AttemptResult,
): Promise<Date | null | undefined> {
  const status = error === null ? 'delivered' : nextAttemptAt ? 'pending' : 'failed';
  const values = [id, endpointId, attempts, status, responseStatus, error, nextAttemptAt, at];
  const [written] = await runPrepared<{ since: string | null }>(em, write, values);
  return written && (written.since === null ? null : new Date(written.since));
}

const write: PreparedStatement = {
  name: 'write-delivery-attempt',
  text: `
    with written as (
      update webhook_delivery set status = $4, response_status = $5, error = $6, next_attempt_at = $7
      where id = $1 and attempts = $3 and status = 'pending' returning id
    ),
    counted as (
      update webhook_endpoint set failing_since = case when $6::text is null then null else coalesce(failing_since, $8) end
      -- Most attempts change nothing about it.
      where id = $2 and (failing_since is null) = ($6::text is not null) and exists (select from written)
    )
    select case when $6::text is null then null else coalesce(failing_since, $8::timestamptz) end as since
    from webhook_endpoint where id = $2 and exists (select from written)`,
};

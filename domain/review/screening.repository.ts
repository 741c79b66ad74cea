import type { ScreeningHit, ScreeningStatus } from '#core/review/screening';
import { type EntityManager, type PreparedStatement, runPrepared } from '#platform/database/database';
import { noteWritten, type OutboxRow } from '#platform/outbox/outbox';
import type { ScreenedName } from './review.entity.ts';

/** A check that was taken for an attempt. */
export interface TakenScreening {
  readonly transferId: string;
  readonly key: string;
  readonly names: readonly ScreenedName[];
  /** This attempt counted. */
  readonly attempts: number;
  /** Listed people that a person said these names are not, by the form of the name. */
  readonly cleared: readonly { form: string; source: string; sourceId: string }[];
}

/** SQL: the names of a transfer `t` and its sender `u` that are checked. */
const namesSql = `
  jsonb_build_array(jsonb_build_object('subject', 'sender', 'name', u.name, 'form', search_form(u.name))) ||
  case when t.payout_target ->> 'name' is null then '[]'::jsonb else jsonb_build_array(
    jsonb_build_object('subject', 'recipient', 'name', t.payout_target ->> 'name', 'form', search_form(t.payout_target ->> 'name'))
  ) end`;

/**
 * Opens the checks of transfers that wait for a decision and have none of their names, as they are now, and takes these and others that are due
 * for an attempt each. Looked at are transfers that changed since `changedSince`.
 */
export async function takeDueScreenings(
  em: EntityManager,
  { now, leaseMs, changedSince, limit }: { now: Date; leaseMs: number; changedSince: Date; limit: number },
): Promise<TakenScreening[]> {
  const lease = new Date(now.getTime() + leaseMs);
  return runPrepared<TakenScreening>(em, takeDue, [now, lease, changedSince, limit]);
}

const takeDue: PreparedStatement = {
  name: 'take-due-screenings',
  text: `
    with wanted as (
      select t.id, n.names
      from transfer as t join app_user as u on u.id = t.user_id
      cross join lateral (select ${namesSql} as names) as n
      left join review as r on r.transfer_id = t.id
      where t.state = 'in_review' and t.changed_at >= $3 and (r.transfer_id is null or r.names <> n.names)
      order by t.changed_at limit $4
      -- As every change of a review does: the transfer before its review. The foreign key would lock it afterwards.
      for key share of t
    ),
    opened as (
      insert into review (transfer_id, version, screening_key, screening_status, names, attempts, next_attempt_at, hits)
      select id, 1, 'screening:' || gen_random_uuid(), 'pending', names, 1, $2, '[]' from wanted
      on conflict (transfer_id) do update set version = review.version + 1, screening_key = excluded.screening_key,
        screening_status = 'pending', names = excluded.names, attempts = 1, next_attempt_at = excluded.next_attempt_at, last_error = null,
        hits = '[]', checked_at = null, note = null, noted_by_id = null
        where review.names <> excluded.names
      returning transfer_id, screening_key, names, attempts
    ),
    due as (
      select transfer_id from review
      where next_attempt_at <= $1 and transfer_id not in (select id from wanted)
      order by next_attempt_at limit $4 for update skip locked
    ),
    taken as (
      update review as r set attempts = r.attempts + 1, next_attempt_at = $2 from due where r.transfer_id = due.transfer_id
      returning r.transfer_id, r.screening_key, r.names, r.attempts
    )
    select one.transfer_id as "transferId", one.screening_key as key, one.names, one.attempts, coalesce((
      select jsonb_agg(jsonb_build_object('form', c.name_form, 'source', c.source, 'sourceId', c.source_id))
      from name_clearance as c where c.name_form in (select n ->> 'form' from jsonb_array_elements(one.names) as n)
    ), '[]') as cleared
    from (select * from opened union all select * from taken) as one`,
};

/** Whether checks are due, of transfers that changed since a moment or that were put off. */
export async function hasDueScreenings(
  em: EntityManager,
  { now, changedSince }: { now: Date; changedSince: Date },
): Promise<boolean> {
  const [found] = await runPrepared<{ due: boolean }>(em, findDue, [now, changedSince]);
  return found?.due ?? false;
}

const findDue: PreparedStatement = {
  name: 'find-due-screenings',
  text: `
    select exists (select from review where next_attempt_at <= $1) or exists (
      select from transfer as t where t.state = 'in_review' and t.changed_at >= $2
        and not exists (select from review where transfer_id = t.id)
    ) as due`,
};

/** What came of an attempt. */
export interface ScreeningResult {
  readonly taken: Pick<TakenScreening, 'transferId' | 'key' | 'attempts'>;
  readonly status: Extract<ScreeningStatus, 'pending' | 'clear' | 'hit' | 'blocked' | 'unavailable' | 'unclear'>;
  readonly hits: readonly ScreeningHit[];
  readonly error: string | null;
  /** Only while it is pending. */
  readonly nextAttemptAt: Date | null;
  readonly at: Date;
}

/**
 * Writes down what came of attempts, with a commit of its own, and tells admins. Left out are those whose names were changed, or of which another
 * attempt was begun, meanwhile.
 */
export async function writeScreenings(em: EntityManager, results: readonly ScreeningResult[]): Promise<void> {
  const given = results.map(({ taken: { transferId, key, attempts }, status, hits, error, nextAttemptAt, at }) => {
    const checkedAt = status === 'pending' || status === 'unavailable' ? null : at;
    return { transferId, key, attempts, status, hits, error, nextAttemptAt, checkedAt };
  });
  type Row = Omit<OutboxRow, 'createdAt'> & { createdAt: string };
  const rows = await runPrepared<Row>(em, write, [JSON.stringify(given)]);
  noteWritten(
    em,
    rows.map((row) => ({ ...row, runAt: null, createdAt: new Date(row.createdAt) })),
  );
}

const write: PreparedStatement = {
  name: 'write-screenings',
  text: `
    with changed as (
      update review set version = version + 1, screening_status = r.status, hits = r.hits, last_error = r.error,
        next_attempt_at = r."nextAttemptAt", checked_at = r."checkedAt"
      from jsonb_to_recordset($1::jsonb) as r ("transferId" uuid, key text, attempts int, status text, hits jsonb, error text,
        "nextAttemptAt" timestamptz, "checkedAt" timestamptz)
      where transfer_id = r."transferId" and screening_key = r.key and review.attempts = r.attempts and screening_status = 'pending'
      returning transfer_id
    )
    insert into outbox (kind, name, data, created_at)
    select 'push', 'review-changed', jsonb_build_object('transferId', transfer_id), clock_timestamp() from changed
    returning id::text, kind, name, data, job_key as "jobKey", created_at as "createdAt"`,
};

import { newsOfSteps } from '#core/notifications/news';

// Notifications on people's devices that a change of a transfer brings: written by the statement of the change
// (transfers/move.repository.ts), so that the step and its notifications are one commit. Without a device nothing is written.

/**
 * SQL: part of a `with` that writes the notification of each transfer in `changed` for every browser of its sender; $2: the moment.
 * Undefined for steps that are no news.
 */
export function notifiedSql(step: string): string | undefined {
  const news = Object.hasOwn(newsOfSteps, step) ? newsOfSteps[step as keyof typeof newsOfSteps] : undefined;
  if (!news) return undefined;
  const only = news.states ? `where changed.state in ('${news.states.join("', '")}')` : '';
  return `notified as (
    insert into web_push (id, key, subscription_id, transfer_id, kind, created_at, attempts, next_attempt_at, request_id)
    select gen_random_uuid(), changed.id || '-' || changed.version || '-' || s.id, s.id, changed.id, '${news.kind}', $2, 0, $2, changed.asked ->> 'requestId'
    from changed join push_subscription as s on s.user_id = changed.user_id
    ${only}
    on conflict (key) do nothing
    returning id
  )`;
}

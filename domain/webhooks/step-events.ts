import { deliveryMs, type WebhookEventType, webhookVersion } from '#core/webhooks/events';
import { decimalSql, isoSql } from '../notifications/step-emails.ts';

// Events for partners that a change of a transfer brings: written by the statement of the change (transfers/move.repository.ts), so that
// the step and its events are one commit. Without an endpoint nothing is written.

/** SQL: part of a `with` that writes the event of each transfer in `changed` for every endpoint that wants it; $2: the moment. */
export function deliveredSql(type: WebhookEventType): string {
  return `delivered as (
    insert into webhook_delivery (id, endpoint_id, event_id, event_type, transfer_id, body, created_at, status, attempts,
      next_attempt_at, expires_at, request_id)
    select gen_random_uuid(), endpoint.id, event.id, '${type}', changed.id,
      jsonb_build_object(
        'id', event.id, 'type', '${type}', 'version', '${webhookVersion}', 'created', ${isoSql('$2::timestamptz')},
        'transfer', jsonb_build_object(
          'id', changed.id, 'state', changed.state, 'version', changed.version,
          'amount', ${decimalSql('amount_minor')}, 'currency', changed.currency,
          'bolivianos', ${decimalSql('bolivianos_minor')}, 'returned', ${decimalSql('returned_minor')}
        )
      ), $2::timestamptz, 'pending', 0, $2::timestamptz, $2::timestamptz + interval '${deliveryMs} milliseconds',
      changed.asked ->> 'requestId'
    from changed
      cross join lateral (select 'evt_' || replace(changed.id::text, '-', '') || '_' || changed.version as id) as event
      join webhook_endpoint as endpoint on endpoint.disabled_at is null and '${type}' = any (endpoint.events)
    -- A payment that was given up before anything was held is nothing to tell of.
    where changed.paid_at is not null
    on conflict do nothing
    returning id
  )`;
}

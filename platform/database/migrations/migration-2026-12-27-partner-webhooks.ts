import { Migration } from '@mikro-orm/migrations';

/** Where partners are sent what becomes of transfers, and what was sent. */
export class PartnerWebhooks extends Migration {
  override up(): void {
    this.addSql(`
create table webhook_endpoint (
  id uuid primary key,
  url text not null,
  description text not null,
  events text[] not null,
  secret text not null,
  previous_secret text null,
  previous_secret_until timestamptz null,
  created_at timestamptz not null,
  created_by_id uuid not null references app_user (id),
  disabled_at timestamptz null,
  disabled_because text null,
  failing_since timestamptz null,
  constraint webhook_endpoint_previous_secret check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoint_disabled check ((disabled_at is null) = (disabled_because is null)),
  constraint webhook_endpoint_disabled_because_check check (disabled_because in ('admin', 'failures'))
);

create table webhook_delivery (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoint (id),
  event_id text not null,
  event_type text not null,
  transfer_id uuid not null references transfer (id),
  body jsonb not null,
  created_at timestamptz not null,
  status text not null,
  attempts int not null,
  next_attempt_at timestamptz null,
  expires_at timestamptz not null,
  last_attempt_at timestamptz null,
  response_status int null,
  error text null,
  constraint webhook_delivery_once unique (endpoint_id, event_id),
  constraint webhook_delivery_status_check check (status in ('pending', 'delivered', 'failed', 'stopped')),
  constraint webhook_delivery_pending_is_due check ((status = 'pending') = (next_attempt_at is not null)),
  constraint webhook_delivery_error_check check (error in ('status', 'timeout', 'connection', 'address'))
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at) where next_attempt_at is not null;
create index webhook_delivery_created_at on webhook_delivery (endpoint_id, created_at, id);
`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Browsers that want notifications of their person's transfers, and those notifications, a row for each step and browser. */
export class WebPush extends Migration {
  override up(): void {
    this.addSql(`
create table push_subscription (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  session_id uuid not null references session (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  last_sent_at timestamptz null,
  last_error text null,
  constraint push_subscription_session_id_unique unique (session_id),
  constraint push_subscription_endpoint_unique unique (endpoint)
);
create index push_subscription_user_id_created_at on push_subscription (user_id, created_at);

create table web_push (
  id uuid primary key,
  key text not null constraint web_push_key_unique unique,
  subscription_id uuid not null references push_subscription (id) on delete cascade,
  transfer_id uuid not null references transfer (id),
  kind text not null,
  created_at timestamptz not null,
  attempts int not null,
  next_attempt_at timestamptz null,
  sent_at timestamptz null
);
create index web_push_subscription_id on web_push (subscription_id);
create index web_push_next_attempt_at on web_push (next_attempt_at) where next_attempt_at is not null;
create index web_push_created_at on web_push (created_at);
`);
  }
}

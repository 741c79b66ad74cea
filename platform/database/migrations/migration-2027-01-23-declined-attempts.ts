import { Migration } from '@mikro-orm/migrations';

/** Declined cards by account, network and card, and the network that a payment was opened from. */
export class DeclinedAttempts extends Migration {
  override up(): void {
    this.addSql(`
create table payment_origin (
  transfer_id uuid primary key references transfer (id),
  network text null,
  at timestamptz not null
);
create index payment_origin_at_index on payment_origin (at);

create table declined_attempt (
  charge_id text primary key,
  transfer_id uuid not null references transfer (id),
  user_id uuid not null,
  network text null,
  card text null,
  at timestamptz not null
);
create index declined_attempt_at_index on declined_attempt (at);
create index declined_attempt_user_id_at on declined_attempt (user_id, at);
create index declined_attempt_network_at on declined_attempt (network, at);
create index declined_attempt_card_at on declined_attempt (card, at);
create index declined_attempt_transfer_id on declined_attempt (transfer_id);
`);
  }
}

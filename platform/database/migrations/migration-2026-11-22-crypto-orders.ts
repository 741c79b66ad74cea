import { Migration } from '@mikro-orm/migrations';

/** Purchases of USDC by card, and which onramp session a Stripe event is about. */
export class CryptoOrders extends Migration {
  override up(): void {
    this.addSql(orders);
    this.addSql('alter table stripe_event add column onramp_session_id text null');
  }
}

const orders = `
create table crypto_order (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  status text not null,
  version int not null,
  amount_minor bigint not null check (amount_minor > 0),
  wallet_address text not null,
  session_id text null,
  paid_minor bigint null check (paid_minor >= 0),
  coins bigint null check (coins >= 0),
  network_fee_minor bigint null check (network_fee_minor >= 0),
  transaction_fee_minor bigint null check (transaction_fee_minor >= 0),
  transaction_id text null,
  idempotency_key text null,
  input_hash text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint crypto_order_status_check check (status in ('created', 'initialized', 'requires_payment',
    'fulfillment_processing', 'fulfillment_complete', 'rejected')),
  constraint crypto_order_session_id_check check (status = 'created' or session_id is not null),
  constraint crypto_order_session_id_unique unique (session_id),
  constraint crypto_order_user_id_idempotency_key_unique unique (user_id, idempotency_key)
);
create index crypto_order_user_id_created_at_id on crypto_order (user_id, created_at, id);
create index crypto_order_status_changed_at on crypto_order (status, changed_at);
`;

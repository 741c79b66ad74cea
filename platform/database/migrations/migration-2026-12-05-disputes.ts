import { Migration } from '@mikro-orm/migrations';

/** Disputes of card payments, their place in the books, and the cases about them. */
export class Disputes extends Migration {
  override up(): void {
    for (const part of [tables, books]) this.addSql(part);
  }
}

const tables = `
create table dispute (
  id text primary key,
  transfer_id uuid not null references transfer (id),
  status text not null,
  reason text not null,
  amount_minor bigint not null,
  currency text not null,
  fee_minor bigint not null,
  fee_currency text null,
  refundable boolean not null,
  booking text not null,
  evidence_due_by timestamptz null,
  response_text text null,
  responded_by_id uuid null references app_user (id),
  submitted_at timestamptz null,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  version int not null,
  constraint dispute_amounts_check check (amount_minor > 0 and fee_minor >= 0),
  constraint dispute_booking_check check (booking in ('none', 'withdrawn', 'lost', 'refund'))
);
create index dispute_transfer_id on dispute (transfer_id);

alter table desk_case drop constraint desk_case_reason_check;
alter table desk_case add constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned',
  'operation_refused', 'payout_rejected', 'payout_returned', 'payout_returned_in_part', 'refund_failed', 'refund_outside',
  'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'contradiction'));

alter table ledger_posting drop constraint ledger_posting_entry_check;
alter table ledger_posting add constraint ledger_posting_entry_check check (
  entry ~ '^(charge|unwind|(payout|refund|refund_reversal)(:[1-9][0-9]*)?|payout_return(:[1-9][0-9]*)?(\\.[1-9][0-9]*)?|dispute_(withdrawn|reinstated|lost):[1-9][0-9]*)$');
`;

const books = `
-- As the operations migration created it, with disputes: what the card's bank took back has left the card processor's debt to us
-- and stands in disputed, until it is given back or lost.
create or replace function balance_due(t transfer) returns table (account text, currency text, amount_minor numeric)
language sql stable set search_path = public, pg_temp as $$
  with done as (
    select
      coalesce(sum(o.amount_minor) filter (where o.kind = 'refund' and o.provider <> 'manual'), 0) as to_card,
      coalesce(sum(o.amount_minor) filter (where o.kind = 'refund' and o.provider = 'manual'), 0) as by_hand,
      coalesce(sum(o.amount_minor - o.returned_minor) filter (where o.kind = 'payout'), 0) as paid
    from operation as o
    where o.transfer_id = t.id and o.status = 'succeeded'
  ),
  taken as (
    select
      coalesce(sum(d.amount_minor) filter (where d.booking in ('withdrawn', 'lost')), 0) as withdrawn,
      coalesce(sum(d.amount_minor) filter (where d.booking = 'lost'), 0) as lost
    from dispute as d
    where d.transfer_id = t.id
  ),
  stands as (select t.state in ('refunding', 'refunded') as unwound),
  due as (
    select d.* from done, taken, stands cross join lateral (values
      ('card_processor', t.currency, to_card + withdrawn - t.amount_minor),
      ('disputed', t.currency, lost - withdrawn),
      ('fee_income', t.currency, case when unwound then 0 else t.fee_minor end),
      ('exchange', t.currency, case when unwound then 0 else t.net_minor end),
      ('exchange', 'BOB', case when unwound then 0 else -t.bolivianos_minor end),
      ('payout_due', 'BOB', case when unwound then 0 else t.bolivianos_minor end - paid),
      ('bank', 'BOB', paid),
      ('bank', t.currency, by_hand),
      ('refund_due', t.currency, case when unwound then t.amount_minor - to_card - by_hand else 0 end),
      ('loss', t.currency, case when unwound then 0 else -to_card - by_hand end - lost)
    ) as d (account, currency, amount_minor)
  )
  select * from due
  where t.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded') and amount_minor <> 0
$$;
create constraint trigger dispute_books after insert or update of booking, amount_minor on dispute
  deferrable initially deferred for each row execute function check_transfer_books();
`;

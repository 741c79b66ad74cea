import { Migration } from '@mikro-orm/migrations';

/**
 * What people search transfers by stands in a table of its own, written only when it changes: in the transfer's row each of its six
 * moves wrote all three-letter parts into the indexes anew, which was half of what a move wrote.
 */
export class SearchApart extends Migration {
  override up(): void {
    for (const part of [table, trigger, columns]) this.addSql(part);
  }
}

const table = `
create table transfer_search (
  transfer_id uuid primary key references transfer (id),
  user_id uuid not null,
  -- As transfer-search made them.
  search_text text not null,
  search_amounts text not null
);
insert into transfer_search select id, user_id, search_text, search_amounts from transfer;
create index transfer_search_user_id on transfer_search (user_id);
create index transfer_search_trigrams on transfer_search using gin (search_text gin_trgm_ops);
create index transfer_search_amount_trigrams on transfer_search using gin (search_amounts gin_trgm_ops);
`;

const trigger = `
-- With the owner's rights: nobody else may write it, and no write can forget it.
create function keep_transfer_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into transfer_search as known (transfer_id, user_id, search_text, search_amounts) values (
    new.id,
    new.user_id,
    search_form(
      transfer_reference(new.id)
      || ' ' || coalesce(new.payout_target ->> 'name', '')
      || ' ' || search_number(new.payout_target ->> 'ci')
      || ' ' || search_number(new.payout_target ->> 'phone')
      || ' ' || search_number(new.payout_target ->> 'bankAccount')
      || ' ' || search_number(new.payment_intent_id)
      || ' ' || search_number(new.payout_reference)
      || ' ' || coalesce(new.card_last4, '')
    ),
    -- Apart, so that a number is not found within an amount.
    search_amount(new.amount_minor) || search_amount(new.fee_minor) || search_amount(new.net_minor)
      || search_amount(new.bolivianos_minor) || search_amount(new.usd_minor)
  ) on conflict (transfer_id) do update set
    user_id = excluded.user_id, search_text = excluded.search_text, search_amounts = excluded.search_amounts;
  return null;
end $$;
revoke execute on function keep_transfer_search() from public;
create trigger transfer_search_opened after insert on transfer for each row execute function keep_transfer_search();
create trigger transfer_search after update of user_id, payout_target, payment_intent_id, payout_reference, card_last4,
  amount_minor, fee_minor, net_minor, bolivianos_minor, usd_minor on transfer
  for each row when (
    (old.user_id, old.payout_target, old.payment_intent_id, old.payout_reference, old.card_last4,
      old.amount_minor, old.fee_minor, old.net_minor, old.bolivianos_minor, old.usd_minor)
    is distinct from
    (new.user_id, new.payout_target, new.payment_intent_id, new.payout_reference, new.card_last4,
      new.amount_minor, new.fee_minor, new.net_minor, new.bolivianos_minor, new.usd_minor)
  ) execute function keep_transfer_search();
`;

const columns = `
alter table transfer drop column search_text, drop column search_amounts;
`;

import { Migration } from '@mikro-orm/migrations';

/**
 * The numbers that a transfer gets later, of its payment, its card and its payout, are rows of their own for the search. Each of them wrote all
 * three-letter parts of everything else anew, which was most of what holding a payment cost the database. And the index that counts declined
 * attempts is kept for those alone: every webhook wrote into it.
 */
export class SearchNumbers extends Migration {
  override up(): void {
    for (const part of [table, triggers, events]) this.addSql(part);
  }
}

const table = `
-- 0: what a transfer was opened with, its amount and bank; a part for each number that it gets later. Rows of before have all in part 0.
alter table transfer_search add column part smallint not null default 0;
alter table transfer_search alter column part drop default, alter column amount_minor drop not null;
alter table transfer_search drop constraint transfer_search_pkey, add primary key (transfer_id, part);
`;

const triggers = `
-- With the owner's rights: nobody else may write it, and no write can forget it. The first argument names what changed: all, or one number.
create or replace function keep_transfer_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_argv[0] = 'all' then
    insert into transfer_search as known
      (transfer_id, part, user_id, search_text, search_amounts, amount_minor, bank_name) values (
      new.id,
      0,
      new.user_id,
      search_form(
        transfer_reference(new.id)
        || ' ' || coalesce(new.payout_target ->> 'name', '')
        || ' ' || search_number(new.payout_target ->> 'ci')
        || ' ' || search_number(new.payout_target ->> 'phone')
        || ' ' || search_number(new.payout_target ->> 'bankAccount')
      ),
      -- Apart, so that a number is not found within an amount.
      search_amount(new.amount_minor) || search_amount(new.fee_minor) || search_amount(new.net_minor)
        || search_amount(new.bolivianos_minor) || search_amount(new.usd_minor),
      new.amount_minor,
      new.payout_target ->> 'bankName'
    ) on conflict (transfer_id, part) do update set
      user_id = excluded.user_id, search_text = excluded.search_text, search_amounts = excluded.search_amounts,
      amount_minor = excluded.amount_minor, bank_name = excluded.bank_name;
  end if;
  insert into transfer_search as known (transfer_id, part, user_id, search_text, search_amounts)
  select new.id, number.part, new.user_id, search_form(search_number(number.text)), ''
  from (values
    (1::smallint, 'payment', new.payment_intent_id), (2, 'payout', new.payout_reference), (3, 'card', new.card_last4)
  ) as number (part, name, text)
  where tg_argv[0] = number.name or tg_argv[0] = 'all' and number.text is not null
  on conflict (transfer_id, part) do update set user_id = excluded.user_id, search_text = excluded.search_text;
  return null;
end $$;
drop trigger transfer_search on transfer;
drop trigger transfer_search_opened on transfer;
create trigger transfer_search_opened after insert on transfer for each row execute function keep_transfer_search('all');
create trigger transfer_search after update of user_id, payout_target, amount_minor, fee_minor, net_minor, bolivianos_minor, usd_minor
  on transfer for each row when (
    (old.user_id, old.payout_target, old.amount_minor, old.fee_minor, old.net_minor, old.bolivianos_minor, old.usd_minor)
    is distinct from
    (new.user_id, new.payout_target, new.amount_minor, new.fee_minor, new.net_minor, new.bolivianos_minor, new.usd_minor)
  ) execute function keep_transfer_search('all');
create trigger transfer_search_payment after update of payment_intent_id on transfer
  for each row when (old.payment_intent_id is distinct from new.payment_intent_id) execute function keep_transfer_search('payment');
create trigger transfer_search_payout after update of payout_reference on transfer
  for each row when (old.payout_reference is distinct from new.payout_reference) execute function keep_transfer_search('payout');
create trigger transfer_search_card after update of card_last4 on transfer
  for each row when (old.card_last4 is distinct from new.card_last4) execute function keep_transfer_search('card');
`;

const events = `
create index stripe_event_declined on stripe_event (payment_intent_id) where type = 'payment_intent.payment_failed';
drop index stripe_event_payment_intent_id_type;
`;

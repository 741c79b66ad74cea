import { Migration } from '@mikro-orm/migrations';

/**
 * What admins narrow and find transfers by besides: bank and amount, kept apart from the transfer's row as the rest of the search (its moves
 * would write their indexes anew), the sender's phone, and the numbers that providers gave our operations.
 */
export class TransferFilters extends Migration {
  override up(): void {
    for (const part of [columns, trigger, accounts, operations]) this.addSql(part);
  }
}

const columns = `
alter table transfer_search add column amount_minor bigint not null default 0, add column bank_name text null;
update transfer_search as s set amount_minor = t.amount_minor, bank_name = t.payout_target ->> 'bankName'
  from transfer as t where t.id = s.transfer_id;
alter table transfer_search alter column amount_minor drop default;
create index transfer_search_amount on transfer_search (amount_minor);
create index transfer_search_bank on transfer_search (bank_name);
`;

const trigger = `
create or replace function keep_transfer_search() returns trigger language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into transfer_search as known (transfer_id, user_id, search_text, search_amounts, amount_minor, bank_name) values (
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
      || search_amount(new.bolivianos_minor) || search_amount(new.usd_minor),
    new.amount_minor,
    new.payout_target ->> 'bankName'
  ) on conflict (transfer_id) do update set
    user_id = excluded.user_id, search_text = excluded.search_text, search_amounts = excluded.search_amounts,
    amount_minor = excluded.amount_minor, bank_name = excluded.bank_name;
  return null;
end $$;
`;

const accounts = `
alter table app_user alter column search_text
  set expression as (search_form(name || ' ' || email || ' ' || search_number(phone)));
`;

const operations = `
create index operation_provider_reference on operation (provider_reference) where provider_reference is not null;
`;

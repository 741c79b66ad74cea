import { Migration } from '@mikro-orm/migrations';

/**
 * Identity, account and phone numbers are encrypted (decision 48): where they stood is what may be seen of them, beside it `sealed` has them
 * encrypted, and hashes stand where equal ones are searched. Rows of before are encrypted by `npm run personal-data:rotate`, or by the job of
 * the night; until then they have no hashes, and nothing is searched in them.
 */
export class PersonalDataAtRest extends Migration {
  override up(): void {
    for (const part of [keys, columns, search, secondPayouts]) this.addSql(part);
  }
}

const keys = `
create table data_key (
  id text primary key,
  purpose text not null constraint data_key_purpose_check check (purpose in ('encryption', 'lookup')),
  -- Encrypted with the key of the configuration.
  wrapped text not null,
  created_at timestamptz not null
);
-- What was hashed with another one would not be found any more.
create unique index data_key_lookup on data_key (purpose) where purpose = 'lookup';
`;

const columns = `
alter table recipient add column sealed text null, add column account_hash text null;
alter table name_check add column sealed text null, add column account_hash text null;
alter table app_user add column phone_sealed text null, add column phone_hash text null;
create index app_user_phone_hash on app_user (phone_hash) where phone_hash is not null;
drop index transfer_account;
create index transfer_account on transfer ((payout_target -> 'hashes' ->> 'account')) where paid_at is not null;
alter table app_user alter column search_text set expression as (search_form(name || ' ' || email));
`;

const search = `
-- Of what a transfer was opened with: hashes of its numbers, which are found whole alone.
alter table transfer_search add column hashes text[] null;
create index transfer_search_hashes on transfer_search using gin (hashes) where hashes is not null;

create or replace function keep_transfer_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_argv[0] = 'all' then
    insert into transfer_search as known
      (transfer_id, part, user_id, search_text, search_amounts, amount_minor, bank_name, hashes) values (
      new.id,
      0,
      new.user_id,
      search_form(
        transfer_reference(new.id)
        || ' ' || coalesce(new.payout_target ->> 'name', '')
        -- The end of the account, which people know it by; of those that are not encrypted yet nothing.
        || ' ' || case when new.payout_target ? 'sealed' then search_number(new.payout_target ->> 'bankAccount') else '' end
      ),
      -- Apart, so that a number is not found within an amount.
      search_amount(new.amount_minor) || search_amount(new.fee_minor) || search_amount(new.net_minor)
        || search_amount(new.bolivianos_minor) || search_amount(new.usd_minor),
      new.amount_minor,
      new.payout_target ->> 'bankName',
      array(select value from jsonb_each_text(coalesce(new.payout_target -> 'hashes', '{}')))
    ) on conflict (transfer_id, part) do update set
      user_id = excluded.user_id, search_text = excluded.search_text, search_amounts = excluded.search_amounts,
      amount_minor = excluded.amount_minor, bank_name = excluded.bank_name, hashes = excluded.hashes;
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
-- What is only encrypted anew is found as before.
drop trigger transfer_search on transfer;
create trigger transfer_search after update of user_id, payout_target, amount_minor, fee_minor, net_minor, bolivianos_minor, usd_minor
  on transfer for each row when (
    (old.user_id, old.payout_target - 'sealed', old.amount_minor, old.fee_minor, old.net_minor, old.bolivianos_minor, old.usd_minor)
    is distinct from
    (new.user_id, new.payout_target - 'sealed', new.amount_minor, new.fee_minor, new.net_minor, new.bolivianos_minor, new.usd_minor)
  ) execute function keep_transfer_search('all');
`;

const secondPayouts = `
-- As before; what is encrypted anew says the same. It is what its report says, which the trigger of the opening compared.
create or replace function keep_second_payout() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (old.complaint_id, old.amount_minor) is not distinct from (new.complaint_id, new.amount_minor)
    and new.payout_target ? 'sealed' and exists (
      select from complaint as c where c.id = new.complaint_id and c.payout_target = new.payout_target
    )
    and old.payout_target - '{sealed,hashes,ci,phone,bankAccount}'::text[]
      = new.payout_target - '{sealed,hashes,ci,phone,bankAccount}'::text[]
    and (not old.payout_target ? 'hashes' or old.payout_target -> 'hashes' = new.payout_target -> 'hashes')
  then
    return new;
  end if;
  raise exception 'a second payout keeps its report, account and amount';
end $$;
`;

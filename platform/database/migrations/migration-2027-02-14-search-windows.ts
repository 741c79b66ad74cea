import { Migration } from '@mikro-orm/migrations';

const column = `
alter table transfer_search add column if not exists opened_at timestamptz null;
`;

const windows = `
-- The stretches of time that a moment lies in, of 1, 8, 64, 512 and 4096 hours since 1970: eight times the number of the stretch, and which length
-- it has. As in search-windows.ts.
create or replace function search_windows(at timestamptz) returns int[] immutable parallel safe
  return array[
    floor(extract(epoch from at) / 3600)::int * 8,
    floor(extract(epoch from at) / (8 * 3600))::int * 8 + 1,
    floor(extract(epoch from at) / (64 * 3600))::int * 8 + 2,
    floor(extract(epoch from at) / (512 * 3600))::int * 8 + 3,
    floor(extract(epoch from at) / (4096 * 3600))::int * 8 + 4
  ];
`;

const trigger = `
-- As in personal-data, with the moment of the opening.
create or replace function keep_transfer_search() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_argv[0] = 'all' then
    insert into transfer_search as known
      (transfer_id, part, user_id, opened_at, search_text, search_amounts, amount_minor, bank_name, hashes) values (
      new.id,
      0,
      new.user_id,
      new.created_at,
      search_form(
        transfer_reference(new.id)
        || ' ' || coalesce(new.payout_target ->> 'name', '')
        || ' ' || case when new.payout_target ? 'sealed' then search_number(new.payout_target ->> 'bankAccount') else '' end
      ),
      search_amount(new.amount_minor) || search_amount(new.fee_minor) || search_amount(new.net_minor)
        || search_amount(new.bolivianos_minor) || search_amount(new.usd_minor),
      new.amount_minor,
      new.payout_target ->> 'bankName',
      array(select value from jsonb_each_text(coalesce(new.payout_target -> 'hashes', '{}')))
    ) on conflict (transfer_id, part) do update set
      user_id = excluded.user_id, search_text = excluded.search_text, search_amounts = excluded.search_amounts,
      amount_minor = excluded.amount_minor, bank_name = excluded.bank_name, hashes = excluded.hashes;
  end if;
  insert into transfer_search as known (transfer_id, part, user_id, opened_at, search_text, search_amounts)
  select new.id, number.part, new.user_id, new.created_at, search_form(search_number(number.text)), ''
  from (values
    (1::smallint, 'payment', new.payment_intent_id), (2, 'payout', new.payout_reference), (3, 'card', new.card_last4)
  ) as number (part, name, text)
  where tg_argv[0] = number.name or tg_argv[0] = 'all' and number.text is not null
  on conflict (transfer_id, part) do update set user_id = excluded.user_id, search_text = excluded.search_text;
  return null;
end $$;
`;

/** A few thousand transfers at a time, oldest first: equal stretches of time stay together, and no move waits for long. */
const fill = `
do $$
declare
  since timestamptz := '-infinity';
  until timestamptz;
begin
  loop
    select max(created_at) into until
    from (select created_at from transfer where created_at > since order by created_at limit 5000) as batch;
    exit when until is null;
    update transfer_search as s set opened_at = t.created_at from transfer as t
    where t.created_at > since and t.created_at <= until and s.transfer_id = t.id and s.opened_at is null;
    commit;
    since := until;
  end loop;
end $$;
`;

/** Each takes the place of the one beside it, if any, which the version before uses until then. */
const indexes = [
  [
    'transfer_search_text_windows',
    'transfer_search using gin (search_text gin_trgm_ops, search_windows(opened_at))',
    'transfer_search_trigrams',
  ],
  [
    'transfer_search_amount_windows',
    'transfer_search using gin (search_amount_keys(search_amounts), search_windows(opened_at)) where part = 0',
    'transfer_search_amount_keys',
  ],
  // A sender's transfers of one of these states are few between others; it is written once, when such a transfer ends.
  [
    'transfer_ended_of_user',
    `transfer (user_id, state, created_at, id) where state in ('rejected', 'cancelled', 'failed', 'expired', 'refunding', 'refunded')`,
    null,
  ],
] as const;

/**
 * The search of texts and amounts in a stretch of time: of a text that thousands of transfers have, the newest are found without reading the others. And
 * an index of what ended without arriving, by sender.
 * Made while everything goes on; what an interrupted run left is made anew.
 */
export class SearchWindows extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const part of [column, windows, trigger, fill]) this.addSql(part);
    for (const [name, columns, before] of indexes) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${columns}`);
      if (before) this.addSql(`drop index concurrently if exists ${before}`);
    }
    // So that the planner knows how rare a stretch is.
    this.addSql('analyze transfer_search');
  }
}

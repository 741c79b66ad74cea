import { Migration } from '@mikro-orm/migrations';

/**
 * What people search by, as the database keeps it: without accents and capitals, in one column a row, with an index on the
 * three-letter parts of it. Functions have bodies that are bound to the functions they call, so that maintenance, which runs
 * without a search path, can run them.
 */
export class TransferSearch extends Migration {
  override up(): void {
    for (const part of [folding, accounts, references, transfers]) this.addSql(part);
  }
}

const folding = `
create extension if not exists pg_trgm;

-- "Peña" and "PENA" are the same to who searches. U+0300 to U+036F are the combining accents that NFD takes apart.
create function search_form(value text) returns text immutable parallel safe
  return lower(regexp_replace(normalize(value, NFD), '[\\u0300-\\u036f]', '', 'g'));

-- A number with and without what people write between its digits.
create function search_number(value text) returns text immutable parallel safe
  return coalesce(value || ' ' || regexp_replace(value, '[^A-Za-z0-9]', '', 'g'), '');

-- An amount, marked where it begins: a search for 100 is not one for 3100.
create function search_amount(minor bigint) returns text immutable parallel safe
  return '=' || (minor / 100)::text || '.' || lpad((minor % 100)::text, 2, '0');
`;

const accounts = `
alter table app_user add column search_text text not null generated always as (search_form(name || ' ' || email)) stored;
create index app_user_search_text on app_user using gin (search_text gin_trgm_ops);
`;

const references = `
-- As core/transfers/reference.ts: the first 48 bits of the id as a number.
create function transfer_reference(id uuid) returns text immutable parallel safe
  return 'TR' || lpad(('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint::text, 15, '0');
`;

const transfers = `
alter table transfer
  add column search_text text not null generated always as (search_form(
    transfer_reference(id)
    || ' ' || coalesce(payout_target ->> 'name', '')
    || ' ' || search_number(payout_target ->> 'ci')
    || ' ' || search_number(payout_target ->> 'phone')
    || ' ' || search_number(payout_target ->> 'bankAccount')
    || ' ' || search_number(payment_intent_id)
    || ' ' || search_number(payout_reference)
    || ' ' || coalesce(card_last4, '')
  )) stored,
  -- Apart, so that a number is not found within an amount.
  add column search_amounts text not null generated always as (
    search_amount(amount_minor) || search_amount(fee_minor) || search_amount(net_minor)
    || search_amount(bolivianos_minor) || search_amount(usd_minor)
  ) stored;
create index transfer_search_text on transfer using gin (search_text gin_trgm_ops);
create index transfer_search_amounts on transfer using gin (search_amounts gin_trgm_ops);
`;

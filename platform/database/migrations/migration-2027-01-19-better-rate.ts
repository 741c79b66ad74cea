import { Migration } from '@mikro-orm/migrations';

/**
 * The better of two rates (decision 43): whether a transfer was promised it, and what its sender accepted where it was applied. The terms of a
 * transfer are frozen otherwise, which the database sees to from now on.
 */
export class BetterRate extends Migration {
  override up(): void {
    this.addSql(columns);
    this.addSql(frozen);
  }
}

const columns = `
alter table transfer
  add column takes_better_rate boolean not null default false,
  add column accepted_rate bigint null,
  add column accepted_bolivianos_minor bigint null,
  add constraint transfer_better_rate_check check (
    (accepted_rate is null and accepted_bolivianos_minor is null)
    or (takes_better_rate and accepted_rate > 0 and accepted_rate < rate
      and accepted_bolivianos_minor >= 0 and accepted_bolivianos_minor < bolivianos_minor
      and accepted_bolivianos_minor * 1000000 <= net_minor * accepted_rate));
`;

const frozen = `
-- Amounts, rate and what they follow from change once at most: with the approval, where that was promised, to a rate that was published for the
-- currency and gives the recipient more; what was accepted stays. A derived euro is not looked up: it follows from rate and fixing.
create function refuse_changed_terms() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (new.currency, new.amount_minor, new.fee_minor, new.net_minor, new.usd_minor, new.eur_usd, new.takes_better_rate)
    is distinct from (old.currency, old.amount_minor, old.fee_minor, old.net_minor, old.usd_minor, old.eur_usd, old.takes_better_rate)
    or not (old.takes_better_rate and old.accepted_rate is null and old.state = 'in_review' and new.state = 'approved'
      and new.rate > old.rate and new.bolivianos_minor > old.bolivianos_minor
      and (new.accepted_rate, new.accepted_bolivianos_minor) is not distinct from (old.rate, old.bolivianos_minor)
      and new.bolivianos_minor = div(new.net_minor::numeric * new.rate, 1000000)
      and coalesce((select bool_or(newest.rate = new.rate) from (
        select rate from rate where currency = new.currency order by id desc limit 10) as newest), true))
  then
    raise exception 'the terms of transfer % are frozen', old.id;
  end if;
  return new;
end $$;
create trigger transfer_frozen_terms before update of currency, amount_minor, fee_minor, net_minor, usd_minor, eur_usd, rate, rate_since,
  bolivianos_minor, reference_rate, markup_basis_points, takes_better_rate, accepted_rate, accepted_bolivianos_minor on transfer
  for each row when (
    (old.currency, old.amount_minor, old.fee_minor, old.net_minor, old.usd_minor, old.eur_usd, old.rate, old.rate_since, old.bolivianos_minor,
      old.reference_rate, old.markup_basis_points, old.takes_better_rate, old.accepted_rate, old.accepted_bolivianos_minor)
    is distinct from
    (new.currency, new.amount_minor, new.fee_minor, new.net_minor, new.usd_minor, new.eur_usd, new.rate, new.rate_since, new.bolivianos_minor,
      new.reference_rate, new.markup_basis_points, new.takes_better_rate, new.accepted_rate, new.accepted_bolivianos_minor)
  ) execute function refuse_changed_terms();
`;

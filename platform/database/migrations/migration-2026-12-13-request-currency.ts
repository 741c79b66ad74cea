import { Migration } from '@mikro-orm/migrations';

/** A request of the desk says what it pays in which currency, so that a second person approves exactly that. */
export class RequestCurrency extends Migration {
  override up(): void {
    this.addSql(`
alter table desk_request add column currency text null;
update desk_request as r set currency = case when r.action = 'pay_by_hand' then 'BOB' else t.currency end
  from transfer as t where t.id = r.transfer_id and r.amount_minor is not null;
-- What still waits without saying what it pays can only be asked for again.
update desk_request set outcome = 'obsolete', decided_at = now()
  where outcome is null and moves_money and amount_minor is null;
alter table desk_request add constraint desk_request_money_check check (
  (amount_minor is null) = (currency is null) and (amount_minor is null or (moves_money and amount_minor >= 0)));
`);
  }
}

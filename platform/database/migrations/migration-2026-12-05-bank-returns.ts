import { Migration } from '@mikro-orm/migrations';

/** Payments that the bank returned, each taken once, and ledger entries for one that comes back in several parts. */
export class BankReturns extends Migration {
  override up(): void {
    this.addSql(`
create table bank_return (
  position bigserial primary key,
  id text not null,
  operation_id uuid null references operation (id),
  external_id text not null,
  amount_minor bigint not null,
  code text not null,
  message text not null,
  returned_at timestamptz not null,
  taken_at timestamptz not null,
  constraint bank_return_id_unique unique (id),
  constraint bank_return_amount_check check (amount_minor > 0)
);
create index bank_return_operation_id on bank_return (operation_id);
create trigger bank_return_append_only before update or delete on bank_return
  for each row execute function refuse_change();
create trigger bank_return_kept_whole before truncate on bank_return execute function refuse_change();

alter table ledger_posting drop constraint ledger_posting_entry_check;
alter table ledger_posting add constraint ledger_posting_entry_check check (
  entry ~ '^(charge|unwind|(payout|refund|refund_reversal)(:[1-9][0-9]*)?|payout_return(:[1-9][0-9]*)?(\\.[1-9][0-9]*)?)$');
`);
  }
}

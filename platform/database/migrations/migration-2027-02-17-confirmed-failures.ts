import { Migration } from '@mikro-orm/migrations';

/** What is awaited of a provider that may have an operation; a cancellation may be requested while the bank may still have the payout. */
export class ConfirmedFailures extends Migration {
  override up(): void {
    this.addSql(`
      alter table operation add column awaiting text null,
        add constraint operation_awaiting_check check (awaiting in ('result', 'confirmation'));
      -- The first answer of an address before the bank was taken for the bank's own: these payouts may have been executed.
      update operation as o set status = 'abandoned' from transfer as t
      where t.id = o.transfer_id and t.state in ('captured', 'payout_failed') and o.kind = 'payout' and o.provider = 'bank'
        and o.status = 'failed' and o.last_error ~ '^the bank answered \\d{3}$';
      alter table transfer drop constraint transfer_cancelled_or_paid_out`);
  }
}

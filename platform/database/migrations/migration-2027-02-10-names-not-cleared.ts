import { Migration } from '@mikro-orm/migrations';

/** A payout to somebody else than was approved waits for the check of the names. */
export class NamesNotCleared extends Migration {
  override up(): void {
    this.addSql(`
      alter table desk_case drop constraint desk_case_reason_check;
      alter table desk_case add constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned',
        'operation_refused', 'names_not_cleared', 'payout_rejected', 'payout_returned', 'payout_returned_in_part', 'refund_failed',
        'refund_outside', 'fraud_warning', 'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'correction_failed', 'books_differ',
        'contradiction'))`);
  }
}

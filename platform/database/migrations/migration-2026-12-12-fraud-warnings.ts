import { Migration } from '@mikro-orm/migrations';

/** What a card's bank says of a payment before anybody disputes it, and the case about it. */
export class FraudWarnings extends Migration {
  override up(): void {
    this.addSql(`
alter table transfer add column fraud_warning text null;
alter table desk_case drop constraint desk_case_reason_check;
alter table desk_case add constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned',
  'operation_refused', 'payout_rejected', 'payout_returned', 'payout_returned_in_part', 'refund_failed', 'refund_outside',
  'fraud_warning', 'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'contradiction'));
`);
  }
}

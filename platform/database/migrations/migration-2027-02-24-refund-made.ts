import { Migration } from '@mikro-orm/migrations';

/** A hold that two people may release: a refund of ours returned some of the charge before the bank returned the payout. */
export class RefundMade extends Migration {
  override up(): void {
    this.addSql(`
      alter table hold_release drop constraint hold_release_reason_check;
      alter table hold_release add constraint hold_release_reason_check check (reason in ('dispute_open', 'dispute_lost', 'charged_back',
        'inquiry_open', 'fraud_warning', 'refund_outside', 'refund_made', 'captured_in_part', 'sender_blocked', 'request_waiting',
        'settlement_by_hand', 'payout_unknown', 'names_not_cleared', 'recipient_changed', 'money_stop'))`);
  }
}

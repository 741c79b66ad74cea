import { Migration } from '@mikro-orm/migrations';

/** A case about a response to a dispute ends once the evidence is at Stripe. */
export class EvidenceSubmitted extends Migration {
  override up(): void {
    this.addSql(`
      alter table desk_case drop constraint desk_case_outcome_check;
      alter table desk_case add constraint desk_case_outcome_check check (outcome in ('account_corrected', 'bank_could_not_pay', 'paid',
        'refunding', 'refunded', 'uncharged', 'dispute_lost', 'dispute_won', 'dispute_dropped', 'evidence_submitted', 'warning_past',
        'sender_unblocked', 'books_settled', 'complaint_decided', 'recipient_approved', 'settlement_dropped', 'settlement_refuted'))`);
  }
}

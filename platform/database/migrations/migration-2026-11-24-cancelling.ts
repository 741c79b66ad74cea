import { Migration } from '@mikro-orm/migrations';

/** A sender's cancellation after the approval, and the payout's claim that excludes it. */
export class Cancelling extends Migration {
  override up(): void {
    this.addSql(`
      alter table transfer
        add column cancel_requested_at timestamptz null,
        add column payout_started_at timestamptz null,
        add constraint transfer_cancelled_or_paid_out check (
          cancel_requested_at is null or (payout_started_at is null and state <> 'completed')
        )
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** When an operation was sent to its provider, holds that two people overruled, and the cases and the action that come with holds. */
export class Holds extends Migration {
  override up(): void {
    this.addSql(`
      alter table operation add column sent_at timestamptz null;
      -- Whatever was attempted may have been sent.
      update operation set sent_at = changed_at where attempts > 0 or last_error is not null;

      create table hold_release (
        transfer_id uuid not null references transfer (id) on delete cascade,
        reason text not null check (reason in ('dispute_open', 'dispute_lost', 'charged_back', 'inquiry_open', 'fraud_warning',
          'refund_outside', 'captured_in_part', 'sender_blocked', 'request_waiting', 'settlement_by_hand', 'payout_unknown',
          'names_not_cleared', 'recipient_changed', 'money_stop')),
        subject text not null,
        request_id uuid not null references desk_request (id),
        at timestamptz not null,
        primary key (transfer_id, reason, subject)
      );

      alter table desk_case drop constraint desk_case_reason_check;
      alter table desk_case add constraint desk_case_reason_check check (reason in ('operation_slow', 'operation_abandoned',
        'operation_refused', 'names_not_cleared', 'payout_not_allowed', 'payout_unexplained', 'payout_rejected', 'payout_returned',
        'payout_returned_in_part', 'refund_failed', 'refund_outside', 'captured_in_part', 'sender_blocked', 'fraud_warning',
        'dispute_inquiry', 'dispute_opened', 'dispute_lost', 'correction_failed', 'books_differ', 'contradiction'));

      alter table desk_case drop constraint desk_case_outcome_check;
      alter table desk_case add constraint desk_case_outcome_check check (outcome in ('account_corrected', 'bank_could_not_pay',
        'paid', 'refunding', 'refunded', 'uncharged', 'dispute_lost', 'dispute_won', 'dispute_dropped', 'warning_past',
        'sender_unblocked', 'books_settled', 'complaint_decided'));

      create function refuse_unapproved_release() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        if not exists (
          select from desk_request where id = new.request_id and transfer_id = new.transfer_id and outcome = 'approved'
        ) then raise exception 'a hold is released by two people only' using errcode = 'check_violation'; end if;
        return new;
      end $$;
      create trigger hold_release_approved before insert or update on hold_release
        for each row execute function refuse_unapproved_release();

      alter table desk_request drop constraint desk_request_action_check;
      alter table desk_request add constraint desk_request_action_check check (action in ('retry', 'give_up_and_refund',
        'refund_at_loss', 'pay_by_hand', 'refund_by_hand', 'release_hold', 'resolve', 'approve'))`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Who is deciding about a transfer, and approvals that wait for a second person. */
export class ReviewClaims extends Migration {
  override up(): void {
    this.addSql(`
alter table review add column claimed_by_id uuid null references app_user (id), add column claimed_until timestamptz null,
  add constraint review_claimed_until_check check ((claimed_by_id is null) = (claimed_until is null));

alter table desk_request alter column case_id drop not null;
alter table desk_request drop constraint desk_request_action_check;
alter table desk_request add constraint desk_request_action_check check (action in ('retry', 'give_up_and_refund', 'refund_at_loss',
  'pay_by_hand', 'refund_by_hand', 'resolve', 'approve'));
alter table desk_request add constraint desk_request_case_check check ((action = 'approve') = (case_id is null));
`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What an admin can do about a warning of fraud when the family was paid already. */
export class RefundsAtLoss extends Migration {
  override up(): void {
    this.addSql(`
alter table desk_request drop constraint desk_request_action_check;
alter table desk_request add constraint desk_request_action_check check (action in ('retry', 'give_up_and_refund', 'refund_at_loss',
  'pay_by_hand', 'refund_by_hand', 'resolve'));
`);
  }
}

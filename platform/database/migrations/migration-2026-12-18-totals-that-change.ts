import { Migration } from '@mikro-orm/migrations';

/** Totals of transfers are looked at only for a change that can change them: not when one is approved, or charged. */
export class TotalsThatChange extends Migration {
  override up(): void {
    this.addSql(totals);
  }
}

const paid = `('in_review', 'approved', 'captured', 'completed')`;

const totals = `
-- What transfer_share reads of a row.
drop trigger transfer_totals on transfer;
create constraint trigger transfer_totals_opened after insert on transfer
  deferrable initially deferred for each row execute function keep_transfer_totals();
create constraint trigger transfer_totals after update of state, user_id, paid_at, usd_minor on transfer
  deferrable initially deferred for each row when (
    (old.user_id, old.paid_at, old.usd_minor, old.state in ${paid}, old.state = 'completed', old.state = 'rejected')
      is distinct from
    (new.user_id, new.paid_at, new.usd_minor, new.state in ${paid}, new.state = 'completed', new.state = 'rejected')
  ) execute function keep_transfer_totals();
`;

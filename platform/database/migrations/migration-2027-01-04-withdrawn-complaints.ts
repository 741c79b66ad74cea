import { Migration } from '@mikro-orm/migrations';

/** A sender can take a report back while nothing is decided about it, and every letter about a report can be a paper. */
export class WithdrawnComplaints extends Migration {
  override up(): void {
    this.addSql(`
alter table complaint drop constraint complaint_state_check;
alter table complaint add constraint complaint_state_check check (state in ('investigating', 'awaiting_approval', 'correcting', 'closed',
  'withdrawn'));
alter table complaint drop constraint complaint_found_check;
alter table complaint add constraint complaint_found_check check ((state in ('investigating', 'withdrawn')) = (found_at is null)
  and (found_at is null) = (found_by_id is null) and (found_at is null) = (finding is null) and (found_at is null) = (explanation is null));
alter table complaint drop constraint complaint_told_check;
alter table complaint add constraint complaint_told_check check ((state in ('investigating', 'awaiting_approval', 'withdrawn'))
  = (told_at is null));
alter table complaint drop constraint complaint_closed_check;
alter table complaint add constraint complaint_closed_check check ((state in ('closed', 'withdrawn')) = (closed_at is not null)
  and (closed_at is null) = (next_due_at is not null));
alter table complaint_letter drop constraint complaint_letter_kind_check;
alter table complaint_letter add constraint complaint_letter_kind_check check (kind in ('received', 'delayed', 'result', 'corrected',
  'reopened', 'withdrawn'));
alter table paper drop constraint paper_kind_check;
alter table paper add constraint paper_kind_check check (kind in ('receipt', 'statement', 'disclosure', 'letter'));
`);
  }
}

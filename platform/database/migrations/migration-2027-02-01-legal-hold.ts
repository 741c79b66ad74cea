import { Migration } from '@mikro-orm/migrations';

const text = `
-- Both empty for everybody at first: the indexes are made in an instant, and a version before goes on.
alter table app_user add column legal_hold_at timestamptz null, add column erasure_due_at timestamptz null;
create index app_user_legal_hold on app_user (id) where legal_hold_at is not null;
create index app_user_erasure_due on app_user (erasure_due_at) where erasure_due_at is not null;

create table legal_hold (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  held boolean not null,
  reason text not null,
  by_id uuid not null references app_user (id),
  at timestamptz not null,
  constraint legal_hold_not_oneself_check check (by_id <> user_id),
  constraint legal_hold_reason_check check (reason <> '')
);
create index legal_hold_user_id_at on legal_hold (user_id, at);

-- Who did what is a record.
create trigger legal_hold_append_only before update or delete on legal_hold for each row execute function refuse_change();
create trigger legal_hold_kept_whole before truncate on legal_hold execute function refuse_change();
`;

/** People whose data is kept while the law may need it, with who decided it, when and why. */
export class LegalHolds extends Migration {
  override up(): void {
    this.addSql(text);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Accounts that admins block, with who did it, when and why, and notes about accounts. */
export class UserBlocks extends Migration {
  override up(): void {
    this.addSql(`
alter table app_user add column blocked_at timestamptz null;

create table account_block (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  blocked boolean not null,
  reason text not null,
  by_id uuid not null references app_user (id),
  at timestamptz not null,
  constraint account_block_not_oneself_check check (by_id <> user_id),
  constraint account_block_reason_check check (reason <> '')
);
create index account_block_user_id_at on account_block (user_id, at);

create table account_note (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  author_id uuid not null references app_user (id),
  text text not null,
  at timestamptz not null
);
create index account_note_user_id_at on account_note (user_id, at);

-- Who did what is a record.
create trigger account_block_append_only before update or delete on account_block for each row execute function refuse_change();
create trigger account_block_kept_whole before truncate on account_block execute function refuse_change();
create trigger account_note_append_only before update or delete on account_note for each row execute function refuse_change();
create trigger account_note_kept_whole before truncate on account_note execute function refuse_change();
`);
  }
}

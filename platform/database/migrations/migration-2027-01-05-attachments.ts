import { Migration } from '@mikro-orm/migrations';

/** Files that senders add to a report, or to an answer to what an admin asked. */
export class Attachments extends Migration {
  override up(): void {
    this.addSql(`
create table attachment (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  complaint_id uuid null references complaint (id),
  question_id uuid null references review_question (id),
  uploaded_by_id uuid not null references app_user (id),
  name text not null,
  type text not null,
  bytes bytea not null,
  size int not null,
  sha256 text not null,
  uploaded_at timestamptz not null,
  constraint attachment_subject_check check ((complaint_id is null) <> (question_id is null)),
  constraint attachment_type_check check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  constraint attachment_size_check check (octet_length(bytes) = size and size between 1 and 2097152)
);
-- The same file again is the one that is there.
create unique index attachment_complaint_id_sha256 on attachment (complaint_id, sha256) where complaint_id is not null;
create unique index attachment_question_id_sha256 on attachment (question_id, sha256) where question_id is not null;
create index attachment_uploaded_by_id_uploaded_at_id on attachment (uploaded_by_id, uploaded_at, id);
create trigger attachment_append_only before update or delete on attachment for each row execute function refuse_change();
create trigger attachment_kept_whole before truncate on attachment execute function refuse_change();
`);
  }
}

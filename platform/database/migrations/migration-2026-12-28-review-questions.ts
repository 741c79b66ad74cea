import { Migration } from '@mikro-orm/migrations';

/** What admins ask senders about transfers that wait for a decision, and what the senders answer. */
export class ReviewQuestions extends Migration {
  override up(): void {
    this.addSql(`
alter table transfer add column question_status text null,
  add constraint transfer_question_status_check check (question_status in ('waiting', 'answered'));

create table review_question (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  code text null,
  note text null,
  asked_by_id uuid not null references app_user (id),
  created_at timestamptz not null,
  constraint review_question_code_check check (code in ('purpose', 'relation', 'funds_origin', 'card_owner', 'recipient_identity',
    'sender_identity', 'duplicate')),
  constraint review_question_asks_something check (code is not null or note is not null)
);
create index review_question_transfer_id_created_at_id on review_question (transfer_id, created_at, id);

create table review_answer (
  question_id uuid primary key references review_question (id),
  text text not null,
  created_at timestamptz not null,
  constraint review_answer_says_something check (text <> '')
);
-- What was asked and answered is evidence.
create trigger review_question_append_only before update or delete on review_question for each row execute function refuse_change();
create trigger review_question_kept_whole before truncate on review_question execute function refuse_change();
create trigger review_answer_append_only before update or delete on review_answer for each row execute function refuse_change();
create trigger review_answer_kept_whole before truncate on review_answer execute function refuse_change();
`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Problems that senders report, with what is done about them, letters as they were sent, notes, and who was reminded of what. */
export class Complaints extends Migration {
  override up(): void {
    this.addSql(`
create table complaint (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  sender_id uuid not null references app_user (id),
  reason text not null,
  wants text not null,
  description text not null,
  paid_from text not null,
  regime text not null,
  in_time boolean not null,
  reported_at timestamptz not null,
  state text not null,
  version int not null,
  assigned_to_id uuid null references app_user (id),
  held_at timestamptz null,
  hold_reason text null,
  finding text null,
  explanation text null,
  remedy text null,
  amount_minor bigint null,
  found_by_id uuid null references app_user (id),
  found_at timestamptz null,
  approved_by_id uuid null references app_user (id),
  told_at timestamptz null,
  operation_id uuid null references operation (id),
  closed_at timestamptz null,
  next_due_at timestamptz null,
  remind_at timestamptz null,
  constraint complaint_reason_check check (reason in ('wrong_charge', 'computation', 'wrong_amount', 'late', 'not_received',
    'information', 'general')),
  constraint complaint_wants_check check (wants in ('refund', 'delivery', 'explanation', 'other')),
  constraint complaint_paid_from_check check (paid_from in ('united_states', 'europe')),
  constraint complaint_regime_check check (regime in ('reg_e', 'psd2', 'own')),
  constraint complaint_state_check check (state in ('investigating', 'awaiting_approval', 'correcting', 'closed')),
  constraint complaint_finding_check check (finding in ('error', 'no_error', 'answered')),
  constraint complaint_remedy_check check (remedy in ('refund', 'fee_refund', 'pay_again', 'none')),
  constraint complaint_amount_check check (amount_minor > 0),
  constraint complaint_held_check check ((held_at is null) = (hold_reason is null)),
  constraint complaint_found_check check ((state = 'investigating') = (found_at is null) and (found_at is null) = (found_by_id is null)
    and (found_at is null) = (finding is null) and (found_at is null) = (explanation is null)),
  constraint complaint_remedied_check check ((remedy is not null) = coalesce(finding = 'error', false)),
  constraint complaint_told_check check ((state in ('investigating', 'awaiting_approval')) = (told_at is null)),
  constraint complaint_closed_check check ((state = 'closed') = (closed_at is not null) and (state = 'closed') = (next_due_at is null)),
  constraint complaint_own_transfer_check check (sender_id is distinct from found_by_id and sender_id is distinct from approved_by_id),
  constraint complaint_two_persons_check check (approved_by_id is null or found_by_id is distinct from approved_by_id)
);
create unique index complaint_one_open on complaint (transfer_id, reason) where closed_at is null;
create index complaint_transfer_id_reported_at on complaint (transfer_id, reported_at);
create index complaint_sender_id_reported_at_id on complaint (sender_id, reported_at, id);
create index complaint_next_due_at_id on complaint (next_due_at, id) where closed_at is null;
create index complaint_closed_at_id on complaint (closed_at, id) where closed_at is not null;
create index complaint_remind_at on complaint (remind_at) where remind_at is not null;
create index complaint_correcting on complaint (transfer_id) where state = 'correcting';

-- The sender is who the transfer says, whatever was written: the check above rests on it. What was reported is evidence.
create function keep_complaint() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  select user_id into new.sender_id from transfer where id = new.transfer_id;
  if tg_op = 'UPDATE' and (new.transfer_id, new.reason, new.wants, new.description, new.paid_from, new.regime, new.in_time, new.reported_at)
    is distinct from (old.transfer_id, old.reason, old.wants, old.description, old.paid_from, old.regime, old.in_time, old.reported_at) then
    raise exception 'what a sender reported is never changed';
  end if;
  return new;
end $$;
create trigger complaint_kept before insert or update on complaint for each row execute function keep_complaint();

create table complaint_letter (
  id uuid primary key,
  complaint_id uuid not null references complaint (id),
  kind text not null,
  texts jsonb not null check (jsonb_typeof(texts) = 'array'),
  at timestamptz not null,
  constraint complaint_letter_kind_check check (kind in ('received', 'delayed', 'result', 'corrected')),
  constraint complaint_letter_once unique (complaint_id, kind)
);
create table complaint_note (
  id uuid primary key,
  complaint_id uuid not null references complaint (id),
  author_id uuid not null references app_user (id),
  text text not null,
  at timestamptz not null
);
create index complaint_note_complaint_id_at on complaint_note (complaint_id, at);
create table complaint_reminder (
  complaint_id uuid not null references complaint (id),
  clock text not null,
  due_at timestamptz not null,
  stage text not null,
  at timestamptz not null,
  told jsonb not null check (jsonb_typeof(told) = 'array'),
  primary key (complaint_id, clock, due_at, stage),
  constraint complaint_reminder_clock_check check (clock in ('investigate', 'tell', 'answer', 'correct')),
  constraint complaint_reminder_stage_check check (stage in ('near', 'overdue'))
);
create trigger complaint_letter_append_only before update or delete on complaint_letter for each row execute function refuse_change();
create trigger complaint_letter_kept_whole before truncate on complaint_letter execute function refuse_change();
create trigger complaint_note_append_only before update or delete on complaint_note for each row execute function refuse_change();
create trigger complaint_note_kept_whole before truncate on complaint_note execute function refuse_change();
create trigger complaint_reminder_append_only before update or delete on complaint_reminder for each row execute function refuse_change();
create trigger complaint_reminder_kept_whole before truncate on complaint_reminder execute function refuse_change();
`);
  }
}

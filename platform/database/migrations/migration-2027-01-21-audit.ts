import { Migration } from '@mikro-orm/migrations';

const text = `
-- Without a foreign key: an entry is written whatever becomes of the account, and nothing waits for its row at commit.
create table audit_entry (
  id uuid primary key,
  at timestamptz not null,
  kind text not null,
  actor_id uuid null,
  actor_role text null,
  subject text null,
  detail text not null,
  network text null,
  constraint audit_entry_detail_check check (length(detail) <= 8000)
);
create index audit_entry_at_id on audit_entry (at, id);
create index audit_entry_actor_id_at_id on audit_entry (actor_id, at, id);
create index audit_entry_kind_at_id on audit_entry (kind, at, id);
create index audit_entry_subject_at_id on audit_entry (subject, at, id);
create trigger audit_entry_append_only before update or delete on audit_entry for each row execute function refuse_change();
create trigger audit_entry_kept_whole before truncate on audit_entry execute function refuse_change();

create table audit_chain (
  position bigint primary key,
  entry_id uuid not null unique,
  hash text not null
);
create trigger audit_chain_append_only before update or delete on audit_chain for each row execute function refuse_change();
create trigger audit_chain_kept_whole before truncate on audit_chain execute function refuse_change();

-- At commit, so that the head of the chain is locked as shortly as can be and no other lock is wanted while it is held. The lock and
-- the reading of the head are two statements: the second one sees what was committed while the first one waited. With the owner's
-- rights: nobody else may write the chain.
create function link_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head_position bigint;
  head_hash text;
begin
  perform pg_advisory_xact_lock(hashtext('audit_chain'));
  select position, hash into head_position, head_hash from audit_chain order by position desc limit 1;
  head_position := coalesce(head_position, 0) + 1;
  insert into audit_chain (position, entry_id, hash) values (
    head_position,
    new.id,
    encode(sha256(convert_to(json_build_array(
      head_position::text, coalesce(head_hash, ''), new.id::text,
      to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      new.kind, new.actor_id::text, new.actor_role, new.subject, new.detail, new.network
    )::text, 'UTF8')), 'hex')
  );
  return null;
end $$;
revoke execute on function link_audit_entry() from public;
create constraint trigger audit_entry_linked after insert on audit_entry deferrable initially deferred
  for each row execute function link_audit_entry();
`;

/** The audit log: entries that nobody changes, and the chain of their hashes (decision 45). */
export class Audit extends Migration {
  override up(): void {
    this.addSql(text);
  }
}

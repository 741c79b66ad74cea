import { Migration } from '@mikro-orm/migrations';

/** Files of senders are kept as long as it is known who they were: once a closed account is erased, its files may be deleted. */
export class ErasedFiles extends Migration {
  override up(): void {
    this.addSql(`
drop trigger attachment_append_only on attachment;
create trigger attachment_append_only before update on attachment for each row execute function refuse_change();
create function refuse_kept_file() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from app_user where id = old.uploaded_by_id and closed_at is not null and name = '') then
    raise exception 'the file % is kept until its sender is erased', old.id;
  end if;
  return old;
end $$;
create trigger attachment_kept before delete on attachment for each row execute function refuse_kept_file();
`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What a sender was shown before paying is kept with the transfer. */
export class Disclosures extends Migration {
  override up(): void {
    this.addSql(`
create table transfer_disclosure (
  transfer_id uuid primary key references transfer (id),
  version int not null check (version > 0),
  texts jsonb not null check (jsonb_typeof(texts) = 'array'),
  at timestamptz not null
);
create trigger transfer_disclosure_append_only before update or delete on transfer_disclosure
  for each row execute function refuse_change();
create trigger transfer_disclosure_kept_whole before truncate on transfer_disclosure execute function refuse_change();
`);
  }
}

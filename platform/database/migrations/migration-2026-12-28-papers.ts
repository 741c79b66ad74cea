import { Migration } from '@mikro-orm/migrations';

/** What issued papers state, and the hashes of the files that were delivered of them. */
export class Papers extends Migration {
  override up(): void {
    this.addSql(`
create table paper (
  code text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{20}$'),
  kind text not null check (kind in ('receipt', 'statement', 'disclosure')),
  user_id uuid not null references app_user (id),
  transfer_id uuid references transfer (id),
  facts jsonb not null check (jsonb_typeof(facts) = 'object' and facts ->> 'kind' = kind),
  facts_hash text not null check (facts_hash ~ '^[0-9a-f]{64}$'),
  issued_at timestamptz not null,
  constraint paper_facts_hash_unique unique (facts_hash),
  constraint paper_transfer_known check ((transfer_id is null) = (kind = 'statement'))
);
create table paper_file (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  code text not null references paper (code),
  language text not null check (language in ('es', 'en')),
  at timestamptz not null
);
create trigger paper_append_only before update or delete on paper for each row execute function refuse_change();
create trigger paper_kept_whole before truncate on paper execute function refuse_change();
create trigger paper_file_append_only before update or delete on paper_file for each row execute function refuse_change();
create trigger paper_file_kept_whole before truncate on paper_file execute function refuse_change();
`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The link by which a family follows a transfer, and when they said that they have the money. */
export class TrackingLinks extends Migration {
  override up(): void {
    this.addSql(`
      create table tracking_link (
        transfer_id uuid primary key references transfer (id),
        -- 160 random bits; who has it sees masked data only.
        token text not null,
        created_at timestamptz not null,
        constraint tracking_link_token_unique unique (token)
      )`);
    this.addSql('alter table transfer add column received_at timestamptz null');
  }
}

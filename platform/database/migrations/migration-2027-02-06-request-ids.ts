import { Migration } from '@mikro-orm/migrations';

const text = `
-- Empty for what is there, and for what a version before writes.
alter table operation add column request_id text null;
alter table mail add column request_id text null;
alter table web_push add column request_id text null;
alter table webhook_delivery add column request_id text null;
`;

/** The id of the request that led to an operation, an e-mail, a notification or an event for a partner. */
export class RequestIds extends Migration {
  override up(): void {
    this.addSql(text);
  }
}

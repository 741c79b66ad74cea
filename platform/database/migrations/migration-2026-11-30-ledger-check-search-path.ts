import { Migration } from '@mikro-orm/migrations';

/**
 * The check of a transfer's ledger looks up its tables in `public` alone. Otherwise a temporary table or view of the same name,
 * which every role may create, would stand before them and decide what the check sees.
 */
export class LedgerCheckSearchPath extends Migration {
  override up(): void {
    this.addSql('alter function check_transfer_books() set search_path = public, pg_temp');
    this.addSql('alter function balance_due(transfer) set search_path = public, pg_temp');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * An amount held on a card is an authorization, and freeing it is voiding it, in the column, in the history's names of
 * moves, and in jobs that still wait in the outbox. Jobs of the old names that are in a queue already are refused there; the
 * sweep asks for them again.
 */
export class AuthorizationNames extends Migration {
  override up(): void {
    this.addSql('alter table transfer rename column hold_released_at to authorization_voided_at');
    this.addSql('alter index transfer_hold_to_release rename to transfer_authorization_to_void');
    // The history is append-only for the product; here only its vocabulary changes.
    this.addSql('alter table transfer_step disable trigger transfer_step_append_only');
    for (const [old, name] of moves) {
      this.addSql(`update transfer_step set move = '${name}' where move = '${old}'`);
    }
    this.addSql('alter table transfer_step enable trigger transfer_step_append_only');
    for (const [old, name] of jobs) {
      this.addSql(`update outbox set name = '${name}' where kind = 'job' and name = '${old}'`);
    }
  }
}

const moves = [
  ['let_lapse', 'expire_quote'],
  ['release_hold', 'expire_authorization'],
  ['lose_hold', 'lose_authorization'],
  ['cancel_hold', 'cancel_authorization'],
  ['choose_recipient', 'assign_recipient'],
] as const;

const jobs = [
  ['release-hold', 'void-authorization'],
  ['expire-hold', 'expire-authorization'],
  ['cancel-transfer', 'cancel-approved-transfer'],
] as const;

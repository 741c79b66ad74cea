import { Migration } from '@mikro-orm/migrations';

/** What Stripe Radar says of a charge, with the payment it belongs to. */
export class CardRisk extends Migration {
  override up(): void {
    this.addSql('alter table transfer add column card_risk jsonb null');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Declined attempts of a payment are counted by their events. */
export class DeclinedPayments extends Migration {
  override up(): void {
    this.addSql('create index stripe_event_payment_intent_id_type on stripe_event (payment_intent_id, type)');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The browser that a payment was made from, so that payments of one browser count together, whoever signs in with it. */
export class PaymentDevices extends Migration {
  override up(): void {
    this.addSql(`
alter table payment_origin add column device text null;
create index payment_origin_device_at on payment_origin (device, at) where device is not null;
`);
  }
}

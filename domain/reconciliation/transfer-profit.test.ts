import { expect, test } from 'vitest';
import type { Rate } from '#core/rates/rate';
import { parsePriceList } from '#core/reconciliation/price-list';
import { hourMs } from '#core/time/time';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { reconcile } from './reconcile.ts';
import { viewTransferProfit } from './transfer-profit.ts';

const fixture = usePaymentFixture();
/** European cards are cheaper; the estimate assumes the higher price. */
const prices = parsePriceList('150+25,290+30;1500');

const profitOf = async (id: string, list = prices) =>
  viewTransferProfit(fixture.database.fork(), await fixture.see(id), list);

/** 100 EUR with a fee of 3.50, and 0.72 from the exchange. */
const charged = () => fixture.create({ state: 'captured', referenceRate: 13_480_000n as Rate });

test('profit contains the estimated fee of the processor until the books have the real one', async () => {
  const id = await charged();
  await fixture.run(id, 'payout');
  fixture.stripe.differ({ kind: 'fee', payment_intent: await fixture.intentId(id), by: 45 });
  const estimate = { currency: 'EUR', fee: '3.50', margin: '0.71', processor: '-3.20', loss: '0.00', total: '1.01' };
  expect(await profitOf(id)).toEqual([{ ...estimate, estimated: ['margin', 'processor'] }]);
  // Without a price list the fee is unknown.
  expect(await profitOf(id, null)).toEqual([{ ...estimate, processor: '0.00', total: '4.21', estimated: ['margin'] }]);
  fixture.now = new Date(fixture.now.getTime() + hourMs);
  fixture.stripe.advanceClock(hourMs / 1000);
  await reconcile(fixture.context);
  expect(await profitOf(id)).toEqual([{ ...estimate, processor: '-3.65', total: '0.56', estimated: [] }]);
});

test('a refunded transfer earns no margin and still costs the processor’s fee', async () => {
  const id = await charged();
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id) });
  await syncPayment(fixture.context, id);
  expect(await profitOf(id)).toEqual([
    {
      ...{ currency: 'EUR', fee: '0.00', margin: '0.00', processor: '-3.20', loss: '0.00', total: '-3.20' },
      estimated: ['processor'],
    },
  ]);
});

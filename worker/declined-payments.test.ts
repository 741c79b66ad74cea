import { describe, expect, test } from 'vitest';
import { declinedMax } from '#core/transfers/own-reasons';
import { declinedEvent, storeStripeEvent } from '#domain/payments/stripe-event.repository';
import { runJob } from './handlers.ts';
import { useTransferFixture } from './testing/transfer-fixture.ts';

const fixture = useTransferFixture();

const cards = [
  'chargeDeclined',
  'chargeDeclinedLostCard',
  'chargeDeclinedStolenCard',
  'visa_chargeDeclinedVelocityLimitExceeded',
];

/** Tries declined cards, as a person at the card form would. */
async function decline(transferId: string, times: number): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1) {
    const card = cards[attempt % cards.length];
    await expect(fixture.pay(transferId, `pm_card_${card}`)).rejects.toThrow(/declined/);
  }
}

/** Stores the events of declined attempts that Stripe has for a transfer, and handles each; repeated, as Stripe does. */
async function deliverDeclines(transferId: string): Promise<void> {
  const events = await fixture.events(transferId, declinedEvent);
  for (const event of [...events, ...events]) {
    await fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));
    await runJob(fixture.context, { name: 'handle-stripe-event', data: { id: event.id } });
  }
}

describe('a payment whose cards are declined', () => {
  test('ends at the tenth decline, and takes no further card', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    await decline(id, declinedMax);
    await deliverDeclines(id);
    await fixture.expectEnd(id, 'expired');
    expect(await fixture.see(id)).toMatchObject({ reason: 'La tarjeta fue rechazada 10 veces. No se cobró nada.' });
    await expect(fixture.pay(id)).rejects.toThrow(/canceled/);
  });

  test('continues after nine declines, and authorizes the next card', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    await decline(id, declinedMax - 1);
    await deliverDeclines(id);
    expect((await fixture.see(id)).state).toBe('awaiting_payment');
    await fixture.pay(id);
    await fixture.runJob('sync-payment', id);
    expect((await fixture.see(id)).state).toBe('in_review');
  });

  test('stays paid when a card was authorized before the tenth decline is reported', async () => {
    const id = await fixture.create({ state: 'awaiting_payment' });
    await decline(id, declinedMax);
    await fixture.pay(id);
    await deliverDeclines(id);
    expect((await fixture.see(id)).state).toBe('in_review');
  });
});

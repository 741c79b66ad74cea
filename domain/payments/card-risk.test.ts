import { expect, test } from 'vitest';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { handleStoredEvent } from '../../testing/row-jobs.ts';
import { findKnown } from '../review/facts.repository.ts';
import { storeStripeEvent } from './stripe-event.repository.ts';

const fixture = usePaymentFixture();

/** Handles Stripe's events of a type about a payment, twice, because they may be repeated. */
async function receive(id: string, type: string): Promise<void> {
  const events = await fixture.events(id, type);
  expect(events).toHaveLength(1);
  for (const event of [...events, ...events]) {
    await fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));
    await handleStoredEvent(fixture.context, event.id);
  }
}

test('Radar’s assessment of a charge is stored with the payment, follows the review at Stripe, and is shown to admins', async () => {
  const id = await fixture.create({ state: 'held', paymentMethod: 'pm_card_riskLevelElevated' });
  await receive(id, 'review.opened');
  const said = { level: 'elevated', score: 70, network: 'approved_by_network', reason: 'elevated_risk_level' };
  const cardRisk = { ...said, message: 'Payment complete.', rule: null, review: 'open' };
  expect(await fixture.see(id)).toMatchObject({ state: 'in_review', cardRisk });
  expect((await findKnown(fixture.database.fork(), [id])).get(id)?.facts.cardRisk).toEqual(cardRisk);
  const { review } = await fixture.intent(id);
  await fixture.stripe.sdk.reviews.approve(review as string);
  await receive(id, 'review.closed');
  expect((await fixture.see(id)).cardRisk).toEqual({ ...cardRisk, review: 'approved' });
  expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold', 'note_card_risk']);
});

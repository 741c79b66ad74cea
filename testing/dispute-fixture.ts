import { afterEach } from 'vitest';
import { findDisputes } from '#domain/disputes/dispute.repository';
import { syncDisputes } from '#domain/payments/sync-disputes';
import type { Decision } from '../sandbox/stripe/dispute-object.ts';
import { usePaymentFixture } from './payment-fixture.ts';

/** Balances of a completed transfer of the fixture. */
export const paidOut = {
  'bank BOB': '129117',
  'card_processor EUR': '-10000',
  'exchange BOB': '-129117',
  'exchange EUR': '9650',
  'fee_income EUR': '350',
};

/** The same without the charge, which was charged back. */
const { 'card_processor EUR': _charge, ...withoutCharge } = paidOut;
export const chargedBack = withoutCharge;

/** A payment fixture whose transfers are disputed; call it at the top level of a file. */
export function useDisputeFixture() {
  const fixture = usePaymentFixture();
  afterEach(() => {
    fixture.stripe.clearFaults();
    fixture.bank.setMode({});
  });
  return {
    fixture,
    disputesOf: (id: string) => findDisputes(fixture.database.fork(), id),
    /** A completed transfer, disputed at Stripe; the product does not know it yet. */
    createDisputed: async (options: Parameters<typeof fixture.stripe.openDispute>[1] = {}) => {
      const id = await fixture.create({ state: 'captured' });
      await fixture.run(id, 'payout');
      return { id, disputeId: fixture.stripe.openDispute(await fixture.intentId(id), options).id };
    },
    /** Decides the dispute, and handles the event. */
    decide: async (id: string, disputeId: string, decision: Decision) => {
      fixture.stripe.decideDispute(disputeId, decision);
      await syncDisputes(fixture.context, id);
    },
  };
}

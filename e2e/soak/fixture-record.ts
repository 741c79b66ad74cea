import type { PaymentFixture } from '../../testing/payment-fixture.ts';
import type { TransferRecord } from './records.ts';

/** All that the product, the simulated Stripe and the simulated bank know of a transfer of the fixture. */
export async function recordOf(fixture: PaymentFixture, id: string): Promise<TransferRecord> {
  const transfer = await fixture.see(id);
  const history = await fixture.history(id);
  const cases = await fixture.cases(id);
  const entries = await fixture.entries(id);
  const operations = await fixture.operations(id);
  const { amount_received: received, ...intent } = await fixture.intent(id);
  const { stripe } = fixture;
  const { data: refunds } = await stripe.sdk.refunds.list({ payment_intent: intent.id, limit: 100 });
  const { data: disputes } = await stripe.sdk.disputes.list({ payment_intent: intent.id, limit: 100 });
  return {
    ...{ id, state: transfer.state, currency: transfer.currency, amount: transfer.amountMinor, fee: transfer.feeMinor },
    ...{ net: transfer.netMinor, bolivianos: transfer.bolivianosMinor, voided: transfer.authorizationVoidedAt != null },
    kept: transfer.restKeptMinor,
    history: history.map(({ move, state }) => ({ move: move ?? null, state })),
    operations: operations
      .toSorted((one, other) => one.kind.localeCompare(other.kind) || one.sequence - other.sequence)
      .map(
        ({
          kind,
          sequence,
          status,
          attempts,
          amountMinor,
          returnedMinor,
          providerReference,
          lastError,
          payoutTarget,
          restRequestId,
          restMinor,
        }) => ({
          ...{ kind, sequence, status, attempts, amount: amountMinor, returned: returnedMinor },
          ...{ reference: providerReference ?? null, error: lastError ?? null, again: payoutTarget != null },
          ...{ ofRest: restRequestId != null, rest: restMinor ?? 0n },
          booked: kind === 'refund' && entries.has(sequence === 1 ? 'refund' : `refund:${sequence}`),
        }),
      ),
    cases: cases.map(({ reason, resolvedAt, resolvedById, details }) => ({
      ...{ reason, open: resolvedAt == null, byPerson: resolvedById != null, details: details ?? null },
    })),
    books: new Map(Object.entries(await fixture.balances(id)).map(([account, amount]) => [account, BigInt(amount)])),
    intent: {
      ...{ id: intent.id, status: intent.status, amount: intent.amount, amountReceived: received, transferId: id },
      amountRefunded: intent.latest_charge?.amount_refunded ?? 0,
      refunds: refunds.map((refund) => ({
        ...{ id: refund.id, amount: refund.amount, status: refund.status ?? '' },
        operationId: refund.metadata?.operation_id ?? null,
      })),
    },
    disputes: disputes.map((dispute) => ({
      ...{ id: dispute.id, payment_intent: intent.id, amount: dispute.amount, status: dispute.status },
    })),
    captures: (await fixture.events(id, 'charge.captured')).length,
    payouts: fixture.payouts(id).toReversed(),
  };
}

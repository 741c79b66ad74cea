import { expectedFee, parsePriceList } from '#core/reconciliation/price-list';
import { dayMs, laPazDay, minuteMs } from '#core/time/time';
import { insertStatement, insertStripeEntries, noteStripeUntil } from '#domain/reconciliation/source-entry.repository';
import { findTransfersById } from '#domain/transfers/transfer.repository';
import type { EntityManager } from '#platform/database/database';

/** Opening balance of the account at the simulated bank, in centavos (sandbox/bank/statements.ts). */
const bankOpeningMinor = 1_000_000_000n;

/**
 * Entries of Stripe and the bank for the completed samples: neither has them, so a comparison would find them missing.
 */
export async function seedSources(em: EntityManager, transferIds: readonly string[], now: Date): Promise<void> {
  const prices = parsePriceList('290+30;1500');
  const samples = (await findTransfersById(em, transferIds))
    .filter(({ state }) => state === 'completed')
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  const entries = samples.map(({ id, amountMinor, currency, createdAt }, index) => {
    const charge = { kind: 'charge', amountMinor, feeMinor: 0n } as const;
    const at = new Date(createdAt.getTime() + 25 * minuteMs);
    return {
      ...{ ...charge, id: `txn_sample${index + 1}`, type: 'charge', reportingCategory: 'charge', currency },
      ...{ sourceId: null, paymentIntentId: null, description: null, transferId: id },
      feeMinor: prices ? expectedFee(charge, prices) : 0n,
      ...{ createdAt: at, availableOn: new Date(at.getTime() + 2 * dayMs) },
    };
  });
  if (entries.length > 0) await insertStripeEntries(em, entries, now);
  await noteStripeUntil(em, new Date(now.getTime() - 5 * minuteMs), now);
  // The last statement closes with the opening balance of the simulated bank.
  let openingMinor = samples.reduce((sum, { bolivianosMinor }) => sum + bolivianosMinor, bankOpeningMinor);
  for (const { id, bolivianosMinor, payoutReference, createdAt } of samples) {
    const day = laPazDay(new Date(createdAt.getTime() + 26 * minuteMs));
    const closingMinor = openingMinor - bolivianosMinor;
    const line = { reference: `sample-${id}`, amountMinor: -bolivianosMinor, day, externalId: id, isFee: false };
    const lines = [{ ...line, bankReference: payoutReference ?? null, description: null, instructedCurrency: null }];
    const statement = {
      account: '10000000591001',
      number: `CHQ-${day}`,
      day,
      currency: 'BOB',
      openingMinor,
      closingMinor,
      lines,
    };
    await insertStatement(em, statement, { format: 'csv', sha256: `sample ${day}`, personId: null, at: now });
    openingMinor = closingMinor;
  }
}

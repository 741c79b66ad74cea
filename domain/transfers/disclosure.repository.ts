import { formatMinor } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import { disclosureOf, disclosureVersion } from '#core/transfers/disclosure';
import type { EntityManager } from '#platform/database/database';
import { Disclosure } from './disclosure.entity.ts';
import type { Transfer } from './transfer.entity.ts';

/**
 * Stores the pre-payment disclosure with a new transfer, in the transaction of `em`. Browsers render the same text from
 * the same figures (`disclosureOf`); a quote that differs is rejected earlier.
 */
export function storeDisclosure(em: EntityManager, transfer: Transfer): void {
  const texts = disclosureOf({
    currency: transfer.currency,
    amount: formatMinor(transfer.amountMinor),
    fee: formatMinor(transfer.feeMinor),
    netAmount: formatMinor(transfer.netMinor),
    rate: formatRate(transfer.rate),
    bs: formatMinor(transfer.bolivianosMinor),
  });
  em.persist(
    em.create(Disclosure, { transferId: transfer.id, version: disclosureVersion, texts, at: transfer.createdAt }),
  );
}

/** The disclosure that the sender of a transfer saw; null for transfers opened before it was stored. */
export function findDisclosure(em: EntityManager, transferId: string): Promise<Disclosure | null> {
  return em.findOne(Disclosure, { transferId });
}

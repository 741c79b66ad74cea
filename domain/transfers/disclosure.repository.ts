import { formatMinor } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import { disclosureOf, disclosureVersion } from '#core/transfers/disclosure';
import type { EntityManager } from '#platform/database/database';
import { Disclosure } from './disclosure.entity.ts';
import type { Transfer } from './transfer.entity.ts';

/**
 * Keeps with a new transfer what its sender reads before paying, in the transaction of `em`. Browsers make the same text of the
 * same figures (`disclosureOf`); a quote that differs from theirs is refused before.
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

/** What the sender of a transfer was shown before paying; null for transfers opened before it was kept. */
export function findDisclosure(em: EntityManager, transferId: string): Promise<Disclosure | null> {
  return em.findOne(Disclosure, { transferId });
}

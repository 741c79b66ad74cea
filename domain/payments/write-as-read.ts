import type { EntityManager } from '#platform/database/database';
import type { JobContext } from '../jobs/job-context.ts';
import { findTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** Readings after which a transfer that others keep changing is left to the next event. */
const mostReadings = 3;

/**
 * Reads something of a transfer's payment from Stripe and writes it down under the transfer's lock; reads it again where somebody changed the
 * transfer meanwhile, who may have read something newer. @throws when others keep changing it.
 */
export async function writeAsRead<Found>(
  { database }: Pick<JobContext, 'database'>,
  transferId: string,
  {
    read,
    write,
  }: {
    read: (transfer: Transfer, paymentIntentId: string) => Promise<Found>;
    write: (em: EntityManager, locked: Transfer, found: Found) => Promise<void>;
  },
): Promise<void> {
  for (let reading = 0; reading < mostReadings; reading += 1) {
    const transfer = await findTransfer(database.fork(), transferId);
    if (!transfer?.paymentIntentId) return;
    const found = await read(transfer, transfer.paymentIntentId);
    const isWritten = await database.transaction(async (em) => {
      const locked = await lockTransfer(em, transferId, { version: transfer.version });
      if (locked) await write(em, locked, found);
      return locked !== null;
    });
    if (isWritten) return;
  }
  throw new Error('a transfer changed while what Stripe says of it was read');
}

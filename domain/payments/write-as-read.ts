import type { EntityManager } from '#platform/database/database';
import type { JobContext } from '../jobs/job-context.ts';
import { findTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** After this many readings, a transfer that keeps changing is left to the next event. */
const maxReadings = 3;

/**
 * Reads part of a transfer's payment from Stripe and stores it under the transfer's lock. Repeats the reading if the
 * transfer has changed since, possibly by a newer reading.
 * @throws when it keeps changing.
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
  for (let reading = 0; reading < maxReadings; reading += 1) {
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
  throw new Error('a transfer changed while it was read from Stripe');
}

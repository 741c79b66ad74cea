import { Failure } from '#core/contracts/failures';
import type { TrackingView } from '#core/contracts/http/tracking';
import { formatMinor } from '#core/money/money';
import { arrivedMinor } from '#core/transfers/arrived';
import type { TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { findUser } from '../accounts/account.repository.ts';
import { changeWithinState, stepsWithinState } from './move-transfer.ts';
import { findSurroundings } from './shown-transfers.repository.ts';
import { findTrackedTransferId, trackingToken } from './tracking-link.repository.ts';
import { findOwnTransfer, findTransfer, lockTransfer, type Transfer } from './transfer.repository.ts';

/**
 * The secret of the tracking link of a sender's own transfer, in the transaction of `em`.
 * @throws Failure `not_found`, also for another user's transfer and for one that was never paid, which has nothing to
 * track.
 */
export async function shareTransfer(
  em: EntityManager,
  { userId, transferId, at }: { userId: string; transferId: string; at: Date },
): Promise<{ token: string }> {
  const transfer = await findOwnTransfer(em, userId, transferId);
  if (!transfer.paidAt) throw new Failure('not_found');
  return { token: await trackingToken(em, transferId, at) };
}

/** The view of a tracking link. @throws Failure `not_found`. */
export async function readTracking(em: EntityManager, token: string): Promise<TrackingView> {
  const id = await findTrackedTransferId(em, token);
  const transfer = id ? await findTransfer(em, id) : null;
  if (!transfer) throw new Failure('not_found');
  return toTrackingView(em, transfer);
}

/**
 * Records that the recipient has the money, in the transaction of `em`, and notifies the sender. Does nothing unless
 * the deposit is complete, or the second time.
 * @throws Failure `not_found`.
 */
export async function confirmReceived(em: EntityManager, token: string, at: Date): Promise<TrackingView> {
  const id = await findTrackedTransferId(em, token);
  if (!id) throw new Failure('not_found');
  const locked = await lockTransfer(em, id, { state: 'completed', receivedAt: null });
  if (!locked || statusOf(locked) !== 'deposited') return readTracking(em, token);
  const step = { name: 'confirm_received', owner: 'family', at, email: 'transfer_received' } as const;
  const confirmed = await changeWithinState(em, locked, { receivedAt: at }, step);
  return toTrackingView(em, confirmed ?? locked);
}

const shownSteps: Partial<Record<TransferState, TrackingView['steps'][number]['step']>> = {
  in_review: 'received',
  approved: 'approved',
  captured: 'sent',
  completed: 'deposited',
};

function statusOf(transfer: Transfer): TrackingView['status'] {
  const [{ state, bolivianosMinor }, arrived] = [transfer, arrivedMinor(transfer)];
  if (arrived > 0n) return arrived === bolivianosMinor ? 'deposited' : 'deposited_in_part';
  if (state === 'payout_failed' || state === 'completed') return 'delayed';
  return state in shownSteps ? 'on_the_way' : 'stopped';
}

async function toTrackingView(em: EntityManager, transfer: Transfer): Promise<TrackingView> {
  const { timelines } = await findSurroundings(em, [transfer], { without: stepsWithinState });
  const status = statusOf(transfer);
  const isDeposited = status === 'deposited' || status === 'deposited_in_part';
  const accepted = transfer.acceptedBolivianosMinor;
  // The last time of a repeated step counts; a returned deposit does not.
  const times = new Map(
    (timelines.get(transfer.id) ?? []).flatMap(({ state, at }) => {
      const step = shownSteps[state];
      return step && (step !== 'deposited' || isDeposited) ? [[step, at] as const] : [];
    }),
  );
  const sender = await findUser(em, transfer.userId);
  return {
    sender: sender?.name.trim().split(/\s+/, 1)[0] ?? '',
    bolivianos: formatMinor(transfer.bolivianosMinor),
    arrived: formatMinor(arrivedMinor(transfer)),
    gained: accepted == null ? null : formatMinor(transfer.bolivianosMinor - accepted),
    bankName: transfer.payoutTarget?.bankName ?? '',
    accountEnding: transfer.payoutTarget?.bankAccount.replace(/\D/g, '').slice(-4) ?? '',
    status,
    steps: [...times].map(([step, at]) => ({ step, at })),
    estimatedDelivery: transfer.estimatedDelivery.toISOString(),
    receivedAt: transfer.receivedAt?.toISOString() ?? null,
  };
}

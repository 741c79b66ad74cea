import { nameForm } from '#core/accounts/names';
import { retryDelayMs } from '#core/operations/operation';
import {
  hitScore,
  maxScreeningAttempts,
  type ScreeningHit,
  type ScreeningStatus,
  statusOfHits,
} from '#core/review/screening';
import { minuteMs, secondMs } from '#core/time/time';
import { GroupCommit } from '#platform/database/group-commit';
import type { JobContext } from '../job-context.ts';
import { lockTransfer, type PayoutTarget, type Transfer } from '../transfers/transfer.repository.ts';
import { findReview, openPayoutScreening, type Review } from './review.repository.ts';
import {
  hasDueScreenings,
  type ScreeningResult,
  type TakenScreening,
  takeDueScreenings,
  writeScreenings,
} from './screening.repository.ts';
import type { Watchman } from './watchman.ts';

/** Checks attempted at the same time. */
const width = 16;
/** How long an attempt may take before another process may repeat it (ms): longer than the time limits of its calls. */
const leaseMs = minuteMs;
/** How far back changed transfers are looked at when a signal came; the sweep looks at all. */
const recentMs = 30 * secondMs;

/**
 * Checks the names of transfers that wait for a decision against the lists, as long as some are due. Running it twice, or beside another process,
 * checks none twice. `all`: also transfers that have been waiting for long without a check. Without a list service it does nothing.
 */
export async function screenDueNames(context: JobContext, { all = false }: { all?: boolean } = {}): Promise<void> {
  const { database, watchman } = context;
  if (!watchman) return;
  // What is answered while others are written down is written down together.
  const results = new GroupCommit<ScreeningResult>(async (some) => {
    await database.statement((em) => writeScreenings(em, some));
    return [];
  });
  let taken: TakenScreening[];
  do {
    const now = context.now();
    const request = { now, leaseMs, changedSince: all ? new Date(0) : recentlyBefore(now), limit: width };
    taken = await database.statement((em) => takeDueScreenings(em, request));
    await Promise.all(taken.map(async (one) => results.add(await screen(context, watchman, one))));
  } while (taken.length >= width);
}

/** Whether `screenDueNames` has something to do. */
export async function areNamesDue({ database, watchman, now }: JobContext): Promise<boolean> {
  const at = now();
  return watchman !== null && hasDueScreenings(database.fork(), { now: at, changedSince: recentlyBefore(at) });
}

/**
 * Where the check of whom a charged transfer would pay stands. Begins it where another's name was checked: the sender chose another recipient after
 * the approval. `target`: whom the payout pays of what the bank returned, where it is about that.
 */
export async function screenPayout(
  { database, watchman, now }: JobContext,
  { id: transferId, payoutTarget }: Transfer,
  target?: PayoutTarget | null,
): Promise<ScreeningStatus> {
  const name = (target ?? payoutTarget)?.name;
  if (!watchman || name === undefined) return 'off';
  const isOf = (review: Review | null) =>
    review?.names.some((one) => one.subject === 'recipient' && one.name === name) ?? false;
  const review = await findReview(database.fork(), transferId);
  if (review && isOf(review)) return review.screeningStatus;
  await database.transaction(async (em) => {
    const locked = await lockTransfer(em, transferId, { state: target ? 'completed' : 'captured' });
    if (!locked || (target ?? locked.payoutTarget)?.name !== name || isOf(await findReview(em, transferId))) return;
    await openPayoutScreening(em, { transferId, payouts: [{ key: transferId, name }], at: now() });
  });
  return 'pending';
}

const recentlyBefore = (at: Date) => new Date(at.getTime() - recentMs);

async function screen({ now, log }: JobContext, watchman: Watchman, taken: TakenScreening): Promise<ScreeningResult> {
  try {
    const found = await Promise.all(taken.names.map((one) => hitsOf(watchman, one, taken.cleared)));
    const hits = found.flat();
    return { taken, status: statusOfHits(hits, taken.names), hits, error: null, nextAttemptAt: null, at: now() };
  } catch (error) {
    const { transferId, attempts } = taken;
    log.warn({ err: error, transferId, attempts }, 'names could not be checked against the lists');
    const at = now();
    const ended = attempts >= maxScreeningAttempts;
    const next = {
      status: ended ? 'unavailable' : 'pending',
      nextAttemptAt: ended ? null : new Date(at.getTime() + retryDelayMs(attempts)),
    } as const;
    return { taken, ...next, hits: [], error: (error as Error).message, at };
  }
}

/** The listed people whose names are like one of ours; of those that a person cleared before it is remembered. */
async function hitsOf(
  watchman: Watchman,
  { subject, name, form }: TakenScreening['names'][number],
  cleared: TakenScreening['cleared'],
): Promise<ScreeningHit[]> {
  const listed = await watchman.search(nameForm(name), hitScore);
  return listed.map(({ source, sourceId, name: listedName, programs, score }) => {
    const remembered = cleared.some(
      (known) => known.form === form && known.source === source && known.sourceId === sourceId,
    );
    return {
      ...{ subject, name, source, sourceId, listedName, programs, score },
      ...{ verdict: remembered ? 'false_positive' : null, remembered },
    } as const;
  });
}

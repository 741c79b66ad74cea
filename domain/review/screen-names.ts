import { nameForm } from '#core/accounts/names';
import type { RowJobData } from '#core/contracts/jobs';
import { retryDelayMs } from '#core/operations/operation';
import {
  hitScore,
  maxScreeningAttempts,
  type ScreeningHit,
  type ScreeningStatus,
  statusOfHits,
} from '#core/review/screening';
import type { JobResult } from '#platform/outbox/row-jobs';
import { classifyError, NonRetryableError } from '#platform/queues/retry';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import type { PayoutTarget } from '../personal-data/payout-target.ts';
import type { Watchman } from '../providers/watchman.ts';
import { lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { findReview, type Review } from './review.repository.ts';
import {
  type BegunScreening,
  beginScreening,
  endWithoutService,
  findUnscreened,
  openMissingScreening,
  openPayoutScreening,
  type ScreeningResult,
  writeScreening,
} from './screening.repository.ts';

/**
 * Screens the names of a transfer against the lists, once. Without a list service the screening ends at once. Returns
 * when its job is to run again.
 * @throws NonRetryableError when the attempts are used up: an admin has to check by other means, or restart it.
 */
export async function screenNames(context: JobContext, job: RowJobData): Promise<JobResult> {
  const { database, watchman, now } = context;
  if (!watchman) {
    await database.transaction((em) => endWithoutService(em, job));
    return undefined;
  }
  const begun = await database.transaction((em) => beginScreening(em, job, now()));
  if (!begun) return undefined;
  if ('early' in begun) return begun.early;
  const result = await screen(context, watchman, begun);
  const isWritten = await database.transaction((em) => writeScreening(em, begun.review, result));
  if (!isWritten || result.error === null) return undefined;
  if (!result.nextAttemptAt) throw new NonRetryableError(result.error);
  return { at: result.nextAttemptAt, error: result.error };
}

/** Maximum transfers per sweep. */
const sweptMax = 500;

/**
 * Opens the screenings of transfers in review that have none for their current names, or whose screening ended without
 * a list service.
 */
export async function openMissingScreenings(context: JobContext): Promise<void> {
  const { database, watchman, now } = context;
  if (!watchman) return;
  const ids = await findUnscreened(database.fork(), sweptMax);
  await sweepEach(
    context,
    'missing screening of a transfer',
    ids.map((id) => ({ id })),
    ({ id }) =>
      database.transaction(async (em) => {
        const locked = await lockTransfer(em, id, { state: 'in_review' });
        if (locked) await openMissingScreening(em, id, { at: now(), isServiceThere: true });
      }),
  );
}

/**
 * The screening status of the payee of a charged transfer. Starts a screening if another name was screened, because the
 * sender changed the recipient after the approval. `target`: the payee of a payout of returned money, if it is one.
 */
export async function screenPayout(
  { database, watchman, now }: JobContext,
  { id: transferId, payoutTarget }: Transfer,
  target?: PayoutTarget | null,
): Promise<ScreeningStatus> {
  const name = (target ?? payoutTarget)?.name;
  if (!watchman || name === undefined) return 'off';
  // A screening that ended without a list service checked nothing.
  const isOf = (review: Review | null) =>
    review !== null &&
    review.screeningStatus !== 'off' &&
    review.names.some((one) => one.subject === 'recipient' && one.name === name);
  const review = await findReview(database.fork(), transferId);
  if (review && isOf(review)) return review.screeningStatus;
  await database.transaction(async (em) => {
    const locked = await lockTransfer(em, transferId, { state: target ? 'completed' : 'captured' });
    if (!locked || (target ?? locked.payoutTarget)?.name !== name || isOf(await findReview(em, transferId))) return;
    await openPayoutScreening(em, { transferId, payouts: [{ key: transferId, name }], at: now() });
  });
  return 'pending';
}

async function screen(
  { now, log }: JobContext,
  watchman: Watchman,
  { review, cleared }: BegunScreening,
): Promise<ScreeningResult> {
  const { transferId, attempts, names } = review;
  try {
    // Attempts that crashed the process also count towards the maximum.
    if (attempts > maxScreeningAttempts) throw new Error('every attempt crashed');
    const hits = (await Promise.all(names.map((one) => hitsOf(watchman, one, cleared)))).flat();
    return { status: statusOfHits(hits, names), hits, error: null, nextAttemptAt: null, checkedAt: now() };
  } catch (thrown) {
    log.warn({ err: thrown, transferId, attempts }, 'a screening failed');
    const failed = { hits: [], error: classifyError(thrown).message, checkedAt: null };
    if (attempts >= maxScreeningAttempts) return { ...failed, status: 'unavailable', nextAttemptAt: null };
    const nextAttemptAt = new Date(now().getTime() + retryDelayMs(attempts));
    return { ...failed, status: 'pending', nextAttemptAt };
  }
}

/** The listed people whose names resemble one of ours, marked if an admin cleared them before. */
async function hitsOf(
  watchman: Watchman,
  { subject, name, form }: Review['names'][number],
  cleared: BegunScreening['cleared'],
): Promise<ScreeningHit[]> {
  const listed = await watchman.search(nameForm(name), hitScore);
  return listed.map(({ source, sourceId, name: listedName, programs, score }) => {
    const remembered = cleared.some(
      (known) => known.nameForm === form && known.source === source && known.sourceId === sourceId,
    );
    return {
      ...{ subject, name, source, sourceId, listedName, programs, score },
      ...{ verdict: remembered ? 'false_positive' : null, remembered },
    } as const;
  });
}

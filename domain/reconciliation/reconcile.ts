import type { SideTotals } from '#core/reconciliation/closing';
import { daysBetween, shiftDay, startOfDay } from '#core/reconciliation/days';
import { compareMovements } from '#core/reconciliation/matching';
import type { Knowledge, Timing } from '#core/reconciliation/movement';
import { balanceGaps } from '#core/reconciliation/statements';
import { laPazDay } from '#core/time/time';
import type { Database, EntityManager } from '#platform/database/database';
import type { JobContext } from '../jobs/job-context.ts';
import { differenceOf, findUnbooked } from '../payouts/bank-return.repository.ts';
import { findException, noteBooksChanged, recordDifferences } from './book-exception.repository.ts';
import { findBalances, findFirstDay, saveDay } from './days.repository.ts';
import { importBankStatements, importStripe } from './import-sources.ts';
import {
  bookMargins,
  findBookMovements,
  findMovedTransfers,
  findRefundsUnderWay,
  findSourceMovements,
  findUnknownMovements,
} from './movements.repository.ts';
import {
  findBankUntil,
  findClosedUntil,
  findStatements,
  findStripeUntil,
  holdOpenDays,
} from './source-entry.repository.ts';

/** Days before the first open one whose movements are compared again: longer than any movement can be pending. */
const lookBackDays = 14;
/** Transfers compared at a time, which bounds memory use. */
const batchSize = 500;
/** Ids read at a time, each time from those of all open days: about a megabyte. */
const idsAtOnce = 20_000;
/** Maximum open days whose totals one run computes. */
const maxDays = 62;

/**
 * Imports Stripe's and the bank's entries, compares them with our books, and records the differences and the totals of
 * every open day. Idempotent; `since` re-reads the sources from that day on.
 */
export async function reconcile(context: JobContext, since: string | null = null): Promise<void> {
  await importStripe(context, since === null ? null : startOfDay(since));
  await importBankStatements(context, since);
  await compareBooks(context);
}

/** `reconcile`, re-reading the sources from the day of an exception on. */
export async function reconcileAgain(context: JobContext, exceptionId: string): Promise<void> {
  await reconcile(context, (await findException(context.database.fork(), exceptionId))?.day ?? null);
}

type Comparing = Pick<JobContext, 'database' | 'now' | 'prices'>;

/** Compares our books with the imported entries. */
export async function compareBooks({ database, now, prices }: Comparing): Promise<void> {
  const at = now();
  const em = database.fork();
  const closedUntil = await findClosedUntil(em);
  const first = closedUntil === null ? await findFirstDay(em) : shiftDay(closedUntil, 1);
  if (first === null) return;
  const since = shiftDay(first, -lookBackDays);
  const [stripeUntil, bankUntil] = [await findStripeUntil(em), await findBankUntil(em)];
  const known = { now: at, stripeUntil, bankUntil, prices };
  const timings: Timing[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const transferIds = await findMovedTransfers(em.fork(), { since, after, limit: idsAtOnce });
    if (transferIds.length === 0) break;
    for (let start = 0; start < transferIds.length; start += batchSize)
      timings.push(...(await compareTransfers(database, transferIds.slice(start, start + batchSize), known)));
    after = transferIds.at(-1) as string;
  }
  await database.transaction(async (one) => {
    const unknown = await findUnknownMovements(one, since);
    const { differences } = compareMovements([], unknown, { ...known, refundsUnderWay: new Set() });
    const gaps = balanceGaps(await findStatements(one, { since }));
    // They were opened at the bank's report, and are included here for as long as they exist.
    const returns = (await findUnbooked(one)).map(differenceOf);
    await recordDifferences(one, [...differences, ...gaps, ...returns], {
      scope: { since },
      closedUntil: await holdOpenDays(one),
      at,
    });
  });
  const yesterday = shiftDay(laPazDay(at), -1);
  await database.transaction(async (one) => {
    for (const day of daysBetween(first, yesterday).slice(0, maxDays))
      await saveDay(one, day, await totalsOf(one, day, timings), at);
    noteBooksChanged(one);
  });
}

/** Compares some transfers in a separate transaction. Returns the timing differences that affect days. */
async function compareTransfers(
  database: Database,
  transferIds: readonly string[],
  known: Omit<Knowledge, 'refundsUnderWay'>,
): Promise<Timing[]> {
  return database.transaction(async (em) => {
    const closedUntil = await holdOpenDays(em);
    await bookMargins(em, transferIds, { closedUntil, at: known.now });
    // The sources are read first, so that movements booked in between do not look missing at them.
    const sources = await findSourceMovements(em, transferIds);
    const books = await findBookMovements(em, transferIds);
    const refundsUnderWay = await findRefundsUnderWay(em, transferIds);
    const { differences, timings } = compareMovements(books, sources, { ...known, refundsUnderWay });
    await recordDifferences(em, differences, { scope: transferIds, closedUntil, at: known.now });
    return [...timings];
  });
}

/** Totals of a source and of our books at the end of a day. */
async function totalsOf(em: EntityManager, day: string, timings: readonly Timing[]): Promise<SideTotals[]> {
  const standing = timings.filter(({ from, until }) => from <= day && (until === null || day < until));
  return (await findBalances(em, day)).map((balance) => ({
    ...balance,
    timingMinor: standing.reduce(
      (sum, { side, currency, differenceMinor }) =>
        side === balance.side && currency === balance.currency ? sum + differenceMinor : sum,
      0n,
    ),
  }));
}

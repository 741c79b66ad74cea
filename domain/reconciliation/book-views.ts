import { z } from 'zod';
import type {
  BookDayView,
  BookExceptionView,
  BookRequestView,
  ProfitView,
  ReconciliationView,
} from '#core/contracts/http/reconciliation';
import { formatMinor } from '#core/money/money';
import { isAboutMoney } from '#core/reconciliation/cause';
import { refusalsToClose, type SideTotals, unexplained } from '#core/reconciliation/closing';
import type { Profit } from '#core/reconciliation/profit';
import { bolivianDays, isBusinessDay } from '#core/time/business-days';
import type { EntityManager } from '#platform/database/database';
import { findUsersById } from '../accounts/account.repository.ts';
import { findOwedRests } from '../payouts/owed.repository.ts';
import { type BookException, type BookRequest, countOpen, findBookRequests } from './book-exception.repository.ts';
import {
  findChangedAt,
  findClosings,
  findDay,
  findFirstDay,
  findOpenDays,
  findProfits,
  hasBankMovements,
  hasStatement,
  readTotals,
} from './days.repository.ts';
import { findBankUntil, findClosedUntil, findStripeUntil } from './source-entry.repository.ts';

/** Maximum owed amounts shown in the overview: each of them has a case. */
const shownOwed = 100;

/** Days shown in the overview. */
const shownDays = 31;

type NameOf = (id: string | null | undefined) => string | null;

async function namesOf(em: EntityManager, ids: readonly (string | null | undefined)[]): Promise<NameOf> {
  const users = await findUsersById(em, [...new Set(ids.filter((id) => id != null))]);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return (id) => (id == null ? null : (names.get(id) ?? ''));
}

/** Exceptions as admins see them. */
export async function toExceptionViews(
  em: EntityManager,
  rows: readonly BookException[],
): Promise<BookExceptionView[]> {
  const requests = await findBookRequests(em, { exceptionIds: rows.map(({ id }) => id) });
  const waiting = requests.filter(({ outcome }) => !outcome);
  const nameOf = await namesOf(em, [
    ...rows.map(({ decidedById }) => decidedById),
    ...waiting.map(({ requestedById }) => requestedById),
  ]);
  return rows.map((row) => {
    const request = waiting.find(({ exceptionId }) => exceptionId === row.id);
    return {
      ...{ id: row.id, version: row.version, cause: row.cause, side: row.side, day: row.day, status: row.status },
      ...{ transfer_id: row.transferId ?? null, reference: row.reference ?? null, note: row.note ?? null },
      ...{ expected: amountOf(row.expectedMinor), actual: amountOf(row.actualMinor) },
      difference: formatMinor(row.differenceMinor),
      currency: row.currency as BookExceptionView['currency'],
      found_at: row.foundAt.toISOString(),
      ...{ decided_by: nameOf(row.decidedById), decided_at: row.decidedAt?.toISOString() ?? null },
      asked_at: row.askedAt?.toISOString() ?? null,
      can_accept: row.status === 'open' && isAboutMoney(row.cause) && row.differenceMinor !== 0n,
      request: request ? toRequestView(request, nameOf) : null,
    };
  });
}

const amountOf = (minor: bigint | null | undefined) => (minor == null ? null : formatMinor(minor));

function toRequestView({ id, reason, requestedById, requestedAt }: BookRequest, nameOf: NameOf): BookRequestView {
  const requested_by = nameOf(requestedById) ?? '';
  return { id, reason, requested_by, requested_by_id: requestedById, requested_at: requestedAt.toISOString() };
}

/** Profit as admins see it. */
export function toProfitView(currency: string, profit: Profit): ProfitView {
  const { fee, margin, processor, loss, total } = profit;
  return {
    currency: currency as ProfitView['currency'],
    ...{ fee: formatMinor(fee), margin: formatMinor(margin), processor: formatMinor(processor) },
    ...{ loss: formatMinor(loss), total: formatMinor(total) },
  };
}

function toTotalsView(totals: SideTotals): BookDayView['totals'][number] {
  const { side, currency, sourceMinor, booksMinor, timingMinor, explainedMinor, openMinor } = totals;
  return {
    ...{ side, currency: currency as ProfitView['currency'] },
    ...{
      source: formatMinor(sourceMinor),
      books: formatMinor(booksMinor),
      difference: formatMinor(sourceMinor - booksMinor),
    },
    ...{ timing: formatMinor(timingMinor), explained: formatMinor(explainedMinor), open: formatMinor(openMinor) },
    unexplained: formatMinor(unexplained(totals)),
  };
}

/** The facts that determine whether a day can be closed at a moment, and its totals. */
export async function closingFactsOf(em: EntityManager, day: string, now: Date) {
  const compared = await findDay(em, day);
  const closedUntil = await findClosedUntil(em);
  return {
    // Once a day was closed, the first day is irrelevant.
    ...{ day, now, closedUntil, firstDay: closedUntil === null ? await findFirstDay(em) : null },
    stripeUntil: await findStripeUntil(em),
    hasStatement:
      (await hasStatement(em, day)) || (!isBusinessDay(day, bolivianDays) && !(await hasBankMovements(em, day))),
    comparedAt: compared?.comparedAt ?? null,
    changedAt: await findChangedAt(em, day),
    openExceptions: await countOpen(em, day),
    totals: compared ? readTotals(compared.totals) : [],
  };
}

const storedProfit = z.record(
  z.string(),
  z.record(z.enum(['fee', 'margin', 'processor', 'loss', 'total']), z.string().transform(BigInt)),
);

/** The state of the books: sources, the days to close, and the last closed days. */
export async function viewReconciliation(em: EntityManager, now: Date): Promise<ReconciliationView> {
  const closedUntil = await findClosedUntil(em);
  const compared = await findOpenDays(em, { closedUntil, limit: shownDays });
  const closings = await findClosings(em, Math.max(0, shownDays - compared.length) || 1);
  const days = compared.map(({ day }) => day);
  const requests = (await findBookRequests(em, { days })).filter(({ outcome }) => !outcome);
  const nameOf = await namesOf(em, [
    ...requests.map(({ requestedById }) => requestedById),
    ...closings.flatMap(({ proposedById, confirmedById }) => [proposedById, confirmedById]),
  ]);
  const next = days.at(-1);
  const profits = next ? await findProfits(em, { from: next, to: days[0] as string }) : [];
  const facts = next ? await closingFactsOf(em, next, now) : null;
  const open = compared.map(({ day, totals, comparedAt }): BookDayView => {
    const request = requests.find((one) => one.day === day);
    return {
      ...{ day, totals: readTotals(totals).map(toTotalsView), compared_at: comparedAt.toISOString() },
      profit: profits.filter((one) => one.day === day).map(({ currency, profit }) => toProfitView(currency, profit)),
      ...{
        closed_at: null,
        proposed_by: null,
        confirmed_by: null,
        request: request ? toRequestView(request, nameOf) : null,
      },
      refusals: day === next && facts ? refusalsToClose(facts) : ['not_next'],
    };
  });
  const closed = closings.map(
    ({ day, totals, profit, proposedById, confirmedById, closedAt }): BookDayView => ({
      ...{ day, totals: readTotals(totals).map(toTotalsView), compared_at: null, closed_at: closedAt.toISOString() },
      profit: Object.entries(storedProfit.parse(profit)).map(([currency, one]) => toProfitView(currency, one)),
      ...{ proposed_by: nameOf(proposedById), confirmed_by: nameOf(confirmedById), refusals: [], request: null },
    }),
  );
  return {
    stripe_until: (await findStripeUntil(em))?.toISOString() ?? null,
    bank_until: await findBankUntil(em),
    closed_until: closedUntil,
    open_exceptions: await countOpen(em),
    owed_to_families: (await findOwedRests(em, shownOwed)).map(({ transferId, owedMinor, since }) => {
      return { transfer_id: transferId, amount: formatMinor(owedMinor), since: since?.toISOString() ?? null };
    }),
    days: [...open, ...closed],
  };
}

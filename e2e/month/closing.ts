import { expect } from 'vitest';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { endpoints } from '#core/contracts/http/endpoints';
import type { BookDayView, BookExceptionView } from '#core/contracts/http/reconciliation';
import { causeNames } from '#core/reconciliation/cause';
import { toMinor, toText } from './books.ts';
import { closingAt, firstDay, monthDays } from './calendar.ts';
import type { Person } from './people.ts';
import { reconcile } from './run.ts';
import { askStripe } from './sending.ts';
import { inLanes } from './working.ts';
import type { Month, World } from './world.ts';

const width = 12;

/** Lets the days pass until everything of the month is known. */
export async function waitForStatements(month: Month, world: World): Promise<void> {
  const { clock, rest } = month;
  await clock.jumpTo(closingAt);
  await rest.untilSwept(clock.now());
  await reconcile(month, world);
  await rest.untilQuiet();
}

const keyOf = (one: { cause: string; transferId: string | null; currency: string; day: string }, difference: string) =>
  `${one.day} ${one.cause} ${one.transferId ?? 'no transfer'}: ${difference} ${one.currency}`;

/**
 * Expects exactly the planted differences on the exceptions page, each with its cause, and at least one of every cause.
 */
export async function checkExceptions({ admins, planted }: World): Promise<BookExceptionView[]> {
  expect(new Set(planted.map(({ cause }) => cause))).toEqual(new Set(causeNames));
  const open = await allExceptions(admins[0], 'open');
  const found = open.map((one) => keyOf({ ...one, transferId: one.transfer_id }, one.difference));
  expect(found.sort()).toEqual(planted.map((one) => keyOf(one, toText(one.difference))).sort());
  // Timing differences were listed for a while and settled themselves; they concern the same transfers.
  const settled = await allExceptions(admins[0], 'decided');
  const late = new Set(
    planted.filter(({ cause }) => cause.endsWith('_day_differs')).map(({ transferId }) => transferId),
  );
  expect(settled.filter(({ status, transfer_id }) => status !== 'settled' || !late.has(transfer_id))).toEqual([]);
  return open;
}

export async function allExceptions(admin: Person, status: 'open' | 'decided'): Promise<BookExceptionView[]> {
  return allPages((cursor) => admin.call(endpoints.bookExceptions, { query: { status, limit: 100, ...cursor } }));
}

async function allPages<Item>(
  read: (cursor: { cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await read(cursor ? { cursor } : {});
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  return found;
}

/**
 * Every second exception about money is written off by two persons, the others are explained. Returns the amount
 * written off at the bank.
 */
export async function decideExceptions({ admins, books }: World, open: readonly BookExceptionView[]): Promise<bigint> {
  let writtenOff = 0n;
  for (const [number, one] of open.toSorted((a, b) => (a.id < b.id ? -1 : 1)).entries()) {
    const [first, second] = number % 4 < 2 ? admins : [admins[1], admins[0]];
    const params = { id: one.id };
    const body = { note: `Revisado con la fuente: ${one.cause}.` };
    if (!one.can_accept || number % 2 === 0) {
      await first.call(endpoints.explainException, { params, body });
      continue;
    }
    const { exception } = await first.call(endpoints.acceptException, { params, body });
    await decideByTwo(first, second, exception.request?.id ?? '');
    const { day, currency, transfer_id: transferId } = one;
    books.add({ day, currency, part: 'loss', minor: toMinor(one.difference), transferId });
    if (one.side === 'bank') writtenOff += toMinor(one.difference);
  }
  return writtenOff;
}

async function decideByTwo(first: Person, second: Person, requestId: string): Promise<void> {
  const decision = { params: { id: requestId }, body: { approve: true } };
  await expect(first.call(endpoints.decideBookRequest, decision)).rejects.toMatchObject({ code: 'own_request' });
  await second.call(endpoints.decideBookRequest, decision);
}

/** Closes every day of the month in order, each by two admins. Returns the days as they were closed. */
export async function closeDays({ admins }: World): Promise<BookDayView[]> {
  const closed: BookDayView[] = [];
  const last = monthDays.at(-1) ?? firstDay;
  await expect(admins[0].call(endpoints.closeDay, { params: { day: last }, body: {} })).rejects.toMatchObject({
    body: { refusals: ['not_next'] },
  });
  // Of few transfers none may be paid for on the first day: its books begin later.
  const { days } = await admins[0].call(endpoints.reconciliation);
  const begun = days.at(-1)?.day ?? firstDay;
  for (const [number, day] of monthDays.filter((one) => one >= begun).entries()) {
    const [proposing, agreeing] = number % 2 === 0 ? admins : [admins[1], admins[0]];
    const { day: proposed } = await proposing.call(endpoints.closeDay, { params: { day }, body: {} });
    await decideByTwo(proposing, agreeing, proposed.request?.id ?? '');
    for (const { unexplained, open } of proposed.totals)
      expect([day, unexplained, open]).toEqual([day, '0.00', '0.00']);
    closed.push(proposed);
  }
  const { closed_until } = await admins[0].call(endpoints.reconciliation);
  expect(closed_until).toBe(last);
  return closed;
}

/** Holds the last day against what Stripe and the bank say of our accounts by themselves. */
export async function checkAccounts({ app }: World, last: BookDayView, writtenOff: bigint): Promise<void> {
  const total = (side: string, currency: string) =>
    last.totals.find((one) => one.side === side && one.currency === currency);
  type Money = { amount: number; currency: string }[];
  const balance = await askStripe<{ available: Money; pending: Money }>(app.stack.sandboxUrl, '/v1/balance');
  for (const currency of ['EUR', 'USD']) {
    const those = [...balance.available, ...balance.pending].filter((one) => one.currency === currency.toLowerCase());
    expect(total('stripe', currency)?.source).toBe(toText(BigInt(those.reduce((sum, { amount }) => sum + amount, 0))));
  }
  // The bank's list of payments does not contain the differences planted in its statements: it agrees with our books.
  const payouts = (await app.sandbox.payouts()).filter(({ status }) => status === 'paid');
  const moved = payouts.reduce((sum, one) => sum + toMinor(one.returnedAmount) - toMinor(one.amount), 0n);
  expect(writtenOff + moved).toBe(toMinor(total('bank', 'BOB')?.books ?? '0.00'));
}

/** Holds every day's profit, and every transfer's, against our own arithmetic. */
export async function checkProfits({ admins, books, planted, sent }: World): Promise<void> {
  const until = closingAt.toISOString().slice(0, 10);
  const { days } = await admins[0].call(endpoints.dailyProfit, { params: { from: firstDay, to: until } });
  const shown = (of: string, profit: { fee: string; margin: string; processor: string; loss: string }) =>
    `${of}: fee ${profit.fee}, margin ${profit.margin}, processor ${profit.processor}, loss ${profit.loss}`;
  const isSomething = (profit: { fee: string; margin: string; processor: string; loss: string }) =>
    [profit.fee, profit.margin, profit.processor, profit.loss].some((text) => text !== '0.00');
  const ours = (profits: ReturnType<typeof books.profits>) =>
    [...profits].map(([key, { fee, margin, processor, loss }]) =>
      shown(key, { fee: toText(fee), margin: toText(margin), processor: toText(processor), loss: toText(loss) }),
    );
  const theirs = days.filter(isSomething).map((one) => shown(`${one.day} ${one.currency}`, one));
  expect(theirs.sort()).toEqual(ours(books.profits()).sort());
  const ofTransfers: string[] = [];
  const estimated: (string | null)[] = [];
  await inLanes(sent, width, async ({ id }) => {
    const { profit } = await admins[0].call(endpoints.transferProfit, { params: { id } });
    if (profit.some((one) => one.estimated.length > 0)) estimated.push(id);
    const booked = profit.map((one) => ({
      ...one,
      ...Object.fromEntries(one.estimated.map((part) => [part, '0.00'])),
    }));
    ofTransfers.push(...booked.filter(isSomething).map((one) => shown(`${id} ${one.currency}`, one)));
  });
  expect(ofTransfers.sort()).toEqual(ours(books.profitsOfTransfers()).sort());
  // Stripe lists no fee for a charge that it does not list.
  const unlisted = planted.filter(({ cause }) => cause === 'charge_missing').map(({ transferId }) => transferId);
  expect(estimated.sort()).toEqual(unlisted.sort());
}

/** Expects every transfer where who watched the month knows it to be. */
export async function checkStates({ admins, sent }: World): Promise<void> {
  const all = await allPages<AdminTransferView>((cursor) =>
    admins[0].call(endpoints.adminTransfers, { query: { limit: 100, ...cursor } }),
  );
  expect(all.map(({ id, state }) => `${id} ${state}`).sort()).toEqual(
    sent.map(({ id, expected }) => `${id} ${expected}`).sort(),
  );
}

/** A line for every day: paid transfers, money moved and profit. */
export function tableOf(
  { sent }: World,
  days: readonly BookDayView[],
  exceptions: readonly BookExceptionView[],
): string[] {
  const before = new Map<string, bigint>();
  const rows = days.map(({ day, totals, profit }) => {
    const moved = (side: string, currency: string, of: 'source' | 'books') => {
      const total = totals.find((one) => one.side === side && one.currency === currency);
      const now = toMinor(total?.[of] ?? '0.00');
      const key = `${side} ${currency} ${of}`;
      const difference = now - (before.get(key) ?? 0n);
      before.set(key, now);
      return toText(difference);
    };
    const margin = (currency: string) => profit.find((one) => one.currency === currency)?.margin ?? '0.00';
    return [
      day,
      String(sent.filter((one) => one.openedOn === day).length),
      ...(['EUR', 'USD'] as const).flatMap((currency) => [
        moved('stripe', currency, 'source'),
        moved('stripe', currency, 'books'),
        margin(currency),
      ]),
      moved('bank', 'BOB', 'source'),
      moved('bank', 'BOB', 'books'),
      String(exceptions.filter((one) => one.day === day).length),
    ];
  });
  const titles = [
    'day',
    'transfers',
    'Stripe EUR',
    'ledger EUR',
    'margin EUR',
    'Stripe USD',
    'ledger USD',
    'margin USD',
  ];
  const table = [[...titles, 'bank BOB', 'ledger BOB', 'exceptions'], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
  return table.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
}

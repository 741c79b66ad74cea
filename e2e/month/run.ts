import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { choose, seededRandom } from '../../infra/testing/soak.ts';
import { TransferWatch } from '../soak/watch.ts';
import { until } from '../until.ts';
import { bankFates } from './bank-fates.ts';
import { Books } from './books.ts';
import { type Session, sessions } from './calendar.ts';
import { cardFates } from './card-fates.ts';
import { complaintFates } from './complaint-fates.ts';
import type { Fate } from './fate.ts';
import { openMarket, readMarket, refreshMarket } from './market.ts';
import { checkUnderWay, sendRefundsOverMidnight } from './over-midnight.ts';
import { Person, registerSender } from './people.ts';
import { carrierCount, carry, plantStrays, plantsOf } from './plants.ts';
import { reviewFates } from './review-fates.ts';
import { open } from './sending.ts';
import { approveRefused, inLanes } from './working.ts';
import { type Month, setBank, type World } from './world.ts';

/** How many do something at the same time. */
const width = 12;
/** Transfers of one sender in the month, about. */
const transfersOfSender = 25;
/** How far our rate lies below the market, in basis points, on most days; on one day of the month it lies above. */
const usualMargin = 100n;
const generousMargin = -40n;
const generousDay = 9;

/** Lives through the month. Returns everything that who watched it knows. */
export async function liveThroughMonth(month: Month): Promise<World> {
  const { app, clock, seed, accounts, count } = month;
  if (count < carrierCount * 2) throw new RangeError(`a month needs ${carrierCount * 2} transfers at least`);
  const admins = [new Person(app.url, accounts[0]), new Person(app.url, accounts[1])] as const;
  const world: World = {
    ...{ app, clock, admins, seed, watch: new TransferWatch(app.databaseUrl), books: new Books() },
    ...{ senders: [], sent: [], errands: new Map(), refusals: [], plantings: [], planted: [], unanswered: [] },
    market: await readMarket(admins[0]).catch(() => ({ EUR: none, USD: none })),
    session: sessions[0] as Session,
  };
  await setBank(world);
  const sizes = sizesOf(count - carrierCount, seed);
  try {
    for (const session of sessions) {
      if (session.number > 0) await clock.jumpTo(session.at);
      world.session = session;
      const took = Object.entries(await live(month, world, sizes[session.number] ?? 0));
      const seconds = (took.reduce((sum, [, ms]) => sum + ms, 0) / 1000).toFixed(1);
      const longest = took.toSorted(([, one], [, other]) => other - one).slice(0, 3);
      const slow = longest.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`).join(', ');
      month.report(`${session.day} ${session.kind}: ${world.sent.length} transfers so far; ${seconds} s: ${slow}`);
    }
  } finally {
    await world.watch.close();
  }
  return world;
}

const none = { rate: 0n, reference: 0n };

/** How many transfers are made in each session, by chance: fewer on weekends and holidays is nothing that matters here. */
function sizesOf(count: number, seed: number): number[] {
  const random = seededRandom(seed, 'sizes');
  const open = sessions.filter(({ kind }) => kind === 'morning' || kind === 'evening');
  const sizes = sessions.map(() => 0);
  for (let left = count; left > 0; left -= 1) {
    const { number } = open[Math.floor(random() * open.length)] as Session;
    sizes[number] = (sizes[number] ?? 0) + 1;
  }
  return sizes;
}

/**
 * One session: due work, deferred errands, new transfers, rejections of the bank, and planted differences. Returns the
 * duration of each, in ms.
 */
async function live(month: Month, world: World, size: number): Promise<Record<string, number>> {
  const { clock, rest } = month;
  const { session } = world;
  const { day } = session;
  const took: Record<string, number> = {};
  const step = async (name: string, act: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await act();
    took[name] = Math.round(performance.now() - startedAt);
  };
  await step('sweeps', () => rest.untilSwept(clock.now()));
  await step('comparison', () => reconcile(month, world));
  if (session.kind === 'after_midnight') await step('refunds', () => checkUnderWay(world));
  await step('what was due', () => rest.untilQuiet());
  await step('rates', () => openSession(world));
  await step('senders', () => registerSenders(month, world));
  const errands = world.errands.get(session.number) ?? [];
  world.errands.delete(session.number);
  await step('errands', () => inLanes(errands, width, (errand) => errand()));
  await step('transfers', () => sendAll(world, size));
  await step('refusals', () => approveRefused(world));
  if (session.kind === 'before_midnight') {
    await step('refunds', () => sendRefundsOverMidnight(world));
    return took;
  }
  await step('rest', () => rest.untilQuiet());
  for (const plant of world.plantings.splice(0)) await plant();
  await plantStrays(world);
  expect(clock.day).toBe(day);
  return took;
}

/** Has Stripe and the bank read and the books compared, all that happened before now included. */
export async function reconcile({ clock, rest }: Pick<Month, 'clock' | 'rest'>, { admins }: World): Promise<void> {
  const askedAt = Math.floor(clock.now().getTime() / 1000) * 1000;
  await admins[0].call(endpoints.runReconciliation);
  await until('the books are compared', async () => {
    const { stripe_until } = await admins[0].call(endpoints.reconciliation);
    return stripe_until !== null && Date.parse(stripe_until) >= askedAt;
  });
  await rest.untilCompared();
}

async function openSession(world: World): Promise<void> {
  const { kind, day } = world.session;
  if (kind === 'morning') {
    const isGenerous = day.endsWith(String(generousDay).padStart(2, '0'));
    world.market = await openMarket(world.admins, isGenerous ? generousMargin : usualMargin);
    return;
  }
  await refreshMarket(world.admins[0]);
  world.market = await readMarket(world.admins[0]);
}

/** New senders come all month long. */
async function registerSenders({ app, count }: Month, { senders, session }: World): Promise<void> {
  const all = Math.max(6, Math.ceil(count / transfersOfSender));
  const wanted = Math.max(4, Math.ceil((all * (session.number + 1)) / sessions.length));
  while (senders.length < wanted) senders.push(await registerSender(app, senders.length + 1));
}

/** The fates of all transfers. */
const fates = { ...reviewFates, ...bankFates, ...cardFates, ...complaintFates };
type FateName = keyof typeof fates;

/** The fates of the first transfers: reports whose deadline is within the month, or in March. */
const firstFates: readonly FateName[] = ['european_answered_late', 'european_answered_late', 'american_unanswered'];

/** Makes the new transfers of a session: those that something is planted about, and others with a fate by chance. */
async function sendAll(world: World, size: number): Promise<void> {
  const { session, seed } = world;
  const left = sessions.length - 1 - session.number;
  const weights = Object.fromEntries(
    Object.entries<Fate>(fates).flatMap(([name, { weight, sessions: needed }]) =>
      needed <= left ? [[name, weight]] : [],
    ),
  ) as Record<FateName, number>;
  const first = world.sent.length;
  const carried = plantsOf(session);
  const carriedBefore = sessions.slice(0, session.number).flatMap(plantsOf).length;
  const made = Array.from({ length: size + carried.length }, (_, number) => ({
    index: first + number,
    plant: carried[number],
  }));
  await inLanes(made, width, async ({ index, plant }) => {
    if (plant !== undefined) return carry(world, await open(world, index), plant);
    const name =
      firstFates[index - carried.length - carriedBefore] ?? choose(seededRandom(seed, `fate-${index}`), weights);
    const fate: Fate = fates[name];
    await fate.run(world, await open(world, index, fate.currency));
  });
}

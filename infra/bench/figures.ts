import { io } from 'socket.io-client';
import type { PostgresServer } from '../postgres/server.ts';
import { BenchProduct, type HeldPayment } from './bench-product.ts';
import { type Cpu, measured, sumOf } from './cpu.ts';
import { connected, type Floors } from './floors.ts';
import { inLanes, median, until } from './load.ts';

/** What a measurement needs. */
export interface Bench {
  readonly product: BenchProduct;
  readonly floors: Floors;
  readonly server: PostgresServer;
  readonly size: number;
  readonly rounds: number;
  readonly seed: string;
}

/** A measurement; returns lines of ratios. In this order, because the later ones leave work behind. */
export const figures: Readonly<Record<string, (bench: Bench) => Promise<string[]>>> = {
  idle: measureIdle,
  push: measurePush,
  statements: measureStatements,
  book: measureBooking,
  complete: measureCompletion,
  accept: measureAcceptance,
};

/** Of the pushes, the first ones warm up both sides. */
const warmUp = 15;

/** As long as the sweeps are apart. */
const idleSeconds = 30;

/** CPU of the product's own processes and PostgreSQL while nobody does anything. */
async function measureIdle(bench: Bench): Promise<string[]> {
  if (process.platform !== 'linux') return ['idle: only measured on Linux'];
  const { product } = bench;
  await settled(product);
  // What the start leaves to do: first connections, statistics of new tables.
  await pause(10_000);
  const { result, cpu } = await measured(bench, () => counted(product, () => pause(idleSeconds * 1000)));
  const names = ['api', 'worker', 'postgres'] as const;
  const all = names.reduce((sum, name) => sum + cpu[name], 0) / idleSeconds;
  const parts = names.map((name) => `${name} ${percent(cpu[name] / idleSeconds)}`);
  const statements = result.all / result.seconds;
  return [`idle, of one core: ${percent(all)} (${parts.join(', ')}), ${statements.toFixed(1)} statements a second`];
}

/**
 * From Stripe's call to the sender's browser, beside one bare hop between processes, and beside the least that the way takes: the
 * booking by hand, with its reading of the payment and its commit, and then a hop.
 */
async function measurePush(bench: Bench): Promise<string[]> {
  const { product, floors } = bench;
  const payments = await product.openPayments(40);
  await settled(product);
  const [first] = payments;
  if (!first) return [];
  const browser = io(product.stack.apiUrl, { transports: ['websocket'], extraHeaders: first.sender.headers });
  await connected(browser);
  const times: number[] = [];
  const hops: number[] = [];
  const ways: number[] = [];
  for (const payment of payments) {
    const { transferId, event } = payment;
    const hop = await floors.hop();
    hops.push(hop);
    ways.push(1000 * (await bookByHand(floors, [payment], `${bench.seed}_p`)) + hop);
    const started = performance.now();
    const arrived = new Promise<void>((resolve) => {
      browser.on('transfer:changed', (view: { id: string; state: string }) => {
        if (view.id === transferId && view.state === 'in_review') resolve();
      });
    });
    await product.deliver(event);
    await arrived;
    times.push(performance.now() - started);
    browser.off('transfer:changed');
    await settled(product);
  }
  browser.close();
  const [time, hop, way] = [times, hops, ways].map((each) => median(each.slice(warmUp))) as [number, number, number];
  return [
    `webhook to browser, of a bare hop: ${ratio(time, hop)}; of the booking by hand and a hop: ${ratio(time, way)}`,
    `booking by hand and a hop, of a bare hop: ${ratio(way, hop)}`,
  ];
}

/**
 * Statements that api and worker send for one payment at a time: the median, because a sweep falls upon some of them, without those of the
 * idle product. What follows the payment is counted beside it.
 */
async function measureStatements({ product }: Bench): Promise<string[]> {
  const payments = await product.openPayments(9);
  const admin = await product.signInAdmin();
  await settled(product);
  const idle: Counted[] = [];
  for (let second = 0; second < 7; second += 1) idle.push(await counted(product, () => pause(1_000)));
  const cost = async (work: (payment: HeldPayment) => Promise<void>) => {
    const costs: Counted[] = [];
    for (const payment of payments) {
      costs.push(
        await counted(product, async () => {
          await work(payment);
          await settled(product);
        }),
      );
    }
    const medianOf = (part: keyof Statements) => {
      const idleRate = median(idle.map((one) => one[part] / one.seconds));
      return median(costs.map((one) => one[part] - idleRate * one.seconds)).toFixed(1);
    };
    return `${medianOf('all')} (payment ${medianOf('payment')}, check of names ${medianOf('names')}, e-mails ${medianOf('emails')})`;
  };
  const booking = await cost(async (payment) => {
    await product.deliver(payment.event);
    await reached(product, 'in_review', [payment]);
  });
  product.forwarding = true;
  const completion = await cost(async (payment) => {
    await product.approve(payment.transferId, admin);
    await reached(product, 'completed', [payment]);
    await pause(300);
  });
  product.forwarding = false;
  return [
    `statements from webhook to in_review: ${booking}`,
    `statements from approval to completed, later webhooks included: ${completion}`,
  ];
}

let booked: HeldPayment[][] = [];

/** Bookings with 32 webhooks at a time, beside the whole booking by hand with one reading of the payment. */
async function measureBooking(bench: Bench): Promise<string[]> {
  const { product, size, rounds } = bench;
  const perRound = Math.ceil(size / rounds);
  const payments = await product.openPayments(perRound * (rounds + 1));
  await settled(product);
  booked = Array.from({ length: rounds + 1 }, (_, round) => payments.slice(round * perRound, (round + 1) * perRound));
  return compared(bench, 'booked', async (some) => {
    await inLanes(some, 32, ({ event }, agent) => product.deliver(event, agent));
    await reached(product, 'in_review', some);
  });
}

/** Approvals until the money is paid out, beside the same floor as the bookings. */
async function measureCompletion(bench: Bench): Promise<string[]> {
  const { product } = bench;
  if (booked.length === 0) await measureBooking(bench);
  const admin = await product.signInAdmin();
  product.forwarding = true;
  const lines = await compared(bench, 'completed', async (some) => {
    await inLanes(some, 8, ({ transferId }) => product.approve(transferId, admin));
    await reached(product, 'completed', some);
  });
  product.forwarding = false;
  return lines;
}

/** Work on each round of payments beside the same payments booked by hand, in time and in CPU. The first round warms up both sides. */
async function compared(
  bench: Bench,
  name: string,
  work: (payments: readonly HeldPayment[]) => Promise<void>,
): Promise<string[]> {
  const { product, floors, seed } = bench;
  const ratios: number[] = [];
  const costs: { floor: Cpu; ours: Cpu }[] = [];
  for (const [round, payments] of booked.entries()) {
    const byHand = await measured(bench, () => bookByHand(floors, payments, `${seed}_${name}_${round}`));
    const ours = await measured(bench, async () => {
      const started = performance.now();
      await work(payments);
      const seconds = (performance.now() - started) / 1000;
      await settled(product);
      return seconds;
    });
    if (round === 0) continue;
    ratios.push(byHand.result / ours.result);
    costs.push({ floor: byHand.cpu, ours: ours.cpu });
  }
  const total = (side: 'floor' | 'ours') => costs.reduce((sum, cost) => sum + sumOf(cost[side]), 0);
  const share = (part: keyof Cpu) => costs.reduce((sum, { ours }) => sum + ours[part], 0) / total('ours');
  const parts = (['api', 'worker', 'postgres', 'simulators'] as const).map(
    (part) => `${part} ${percent(share(part), 0)}`,
  );
  return [
    `${name}, of the booking by hand with one reading: ${median(ratios).toFixed(2)} (${list(ratios)})`,
    `${name}, CPU, of the booking by hand: ${ratio(total('ours'), total('floor'))} times (${parts.join(', ')})`,
  ];
}

/** Seconds for these bookings by hand. The payments are read at Stripe, and their transfers are the floor's own. */
async function bookByHand(floors: Floors, payments: readonly HeldPayment[], suffix: string): Promise<number> {
  const ids = payments.map(({ intentId }) => intentId);
  await floors.sql.query(
    `with opened as (insert into transfer (payment_intent_id, state, version, amount_minor)
       select id, 'awaiting_payment', 1, 1000 from unnest($1::text[]) as id
       on conflict (payment_intent_id) do update set version = transfer.version returning id)
     insert into operation (transfer_id, status) select id, 'pending' from opened on conflict do nothing`,
    [ids],
  );
  const events = payments.map(({ event }) => withId(event, `by_hand_${suffix}`));
  return floors.run('booking', events, 32);
}

/** Events with which each side warms up: until then it is measured how soon the programs are compiled. */
const warmUpEvents = 1_000;
/** Events that one side takes before it is the other's turn, so that other work on the machine slows both alike. */
const turn = (width: number) => Math.max(50, width * 8);

/** Webhooks about payments of nobody, by the api alone, beside a bare server with one insert and the same behind Nest. */
async function measureAcceptance({ product: other, floors, server, size, rounds, seed }: Bench): Promise<string[]> {
  const [sample] = await other.openPayments(1);
  await other.stack.stop('worker');
  await other.stack.stop('api');
  const product = await BenchProduct.start(server, 'acceptance');
  const lines: string[] = [];
  try {
    await settled(product);
    await product.stack.stop('worker');
    for (const width of [1, 8, 32]) {
      const count = width === 1 ? size : size * 4;
      const nest: number[] = [];
      const ours: number[] = [];
      const cpu = { bare: 0, ours: 0 };
      for (let round = -1; round < rounds; round += 1) {
        // The first round warms up.
        const events = Array.from({ length: round < 0 ? Math.max(count, warmUpEvents) : count }, (_, index) =>
          withId(sample?.event ?? '', `${seed}_${width}_${round + 1}_${index}`),
        );
        const seconds = { bare: 0, nest: 0, ours: 0 };
        for (let from = 0; from < events.length; from += turn(width)) {
          const some = events.slice(from, from + turn(width));
          const bare = await measured({ product, floors, server }, () => floors.run('event', some, width));
          const forNest = some.map((event) => withId(event, 'n'));
          seconds.nest += await floors.run('nest', forNest, width);
          const accepted = await measured({ product, floors, server }, () =>
            inLanes(some, width, (event, agent) => product.deliver(event, agent)),
          );
          seconds.bare += bare.result;
          seconds.ours += accepted.result;
          if (round < 0) continue;
          cpu.bare += bare.cpu.floor + bare.cpu.postgres;
          cpu.ours += accepted.cpu.api + accepted.cpu.postgres;
        }
        if (round < 0) continue;
        nest.push(seconds.bare / seconds.nest);
        ours.push(seconds.bare / seconds.ours);
      }
      lines.push(
        `accepted, ${width} at a time, of a bare server: ${median(ours).toFixed(2)} (${list(ours)}); bare Nest: ${median(nest).toFixed(2)}`,
        `accepted, ${width} at a time, CPU, of the bare server's: ${(cpu.ours / cpu.bare).toFixed(2)} times`,
      );
    }
  } finally {
    await product.close();
  }
  return lines;
}

/** The same event under another id, about a payment of nobody. */
function withId(event: string, suffix: string): string {
  return event.replace(/"id":\s*"(evt_\w+)"/, (_, id) => `"id":"${id}_${suffix}"`);
}

async function reached(product: BenchProduct, state: string, payments: readonly HeldPayment[]): Promise<void> {
  await until(`${payments.length} transfers are ${state}`, async () => {
    return (await product.countIn(state, payments)) === payments.length;
  });
}

function settled(product: BenchProduct): Promise<void> {
  return until('nothing is left to do', () => product.isQuiet(), 50);
}

/** How many statements; `payment` are those that belong to neither of the others, NOTIFY and the outbox of all three among them. */
interface Statements {
  readonly all: number;
  readonly payment: number;
  readonly names: number;
  readonly emails: number;
}

type Counted = Statements & { readonly seconds: number };

/** What the check of names sends by itself, and what sending e-mails does: that they are due is written with the move. */
const partsSql = `
  case when query ~ '(insert into|update) review\\M|from review as r where r.transfer_id = t.id|order by m\\.same' then 'names'
    when query ~ '(from|update) mail\\M' then 'emails' else 'payment' end`;

/** Without what triggers run at a commit, which PostgreSQL counts too. */
const countSql = `select ${partsSql} as part, sum(calls)::int as calls from pg_stat_statements
  where query ~* '^\\s*(begin|commit|rollback|select|insert|update|delete|with|set|listen|notify)\\M'
    and query !~* '\\m(new|old)\\.|transfer_share|keep_transfer|bool_or\\(o\\.kind|d\\.booking' and userid = 'chasqui_runtime'::regrole
    and dbid = (select oid from pg_database where datname = current_database())
  group by part`;

async function countStatements(product: BenchProduct): Promise<Statements> {
  const { rows } = await product.sql.query<{ part: string; calls: number }>(countSql);
  const callsOf = (part: string) => rows.find((row) => row.part === part)?.calls ?? 0;
  const [payment, names, emails] = ['payment', 'names', 'emails'].map(callsOf) as [number, number, number];
  return { all: payment + names + emails, payment, names, emails };
}

async function counted(product: BenchProduct, work: () => Promise<unknown>): Promise<Counted> {
  const before = await countStatements(product);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const after = await countStatements(product);
  const parts = ['all', 'payment', 'names', 'emails'] as const;
  const sums = Object.fromEntries(parts.map((part) => [part, after[part] - before[part]])) as unknown as Statements;
  return { ...sums, seconds };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const percent = (share: number, digits = 2) => `${(share * 100).toFixed(digits)} %`;
const ratio = (one: number, other: number) => (one / other).toFixed(1);
const list = (ratios: readonly number[]) => ratios.map((one) => one.toFixed(2)).join(', ');

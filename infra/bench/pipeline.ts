import { io } from 'socket.io-client';
import { type Bench, pause, settled } from './bench.ts';
import { BenchProduct, type HeldPayment } from './bench-product.ts';
import { type Cpu, measured, sumOf } from './cpu.ts';
import { type Figure, ofRounds } from './figure.ts';
import { connected, type Floors } from './floors.ts';
import { inLanes, median, until } from './load.ts';
import { type Counted, counted, type Statements } from './statements.ts';

/** Of the pushes, the first ones warm up both sides. */
const warmUp = 15;

/**
 * From Stripe's call to the sender's browser, beside one bare hop between processes, and beside the least that the way takes: the
 * booking by hand, with its reading of the payment and its commit, and then a hop.
 */
export async function measurePush({ product, floors, seed }: Bench): Promise<Figure[]> {
  const times: number[] = [];
  const hops: number[] = [];
  const ways: number[] = [];
  for (let group = 0; group < 4; group += 1) {
    // Few at a time: a sweep would look for payments whose webhook is long in coming.
    const payments = await product.openPayments(10);
    await settled(product);
    const browser = io(product.stack.apiUrl, {
      transports: ['websocket'],
      forceNew: true,
      ...(payments[0] && { extraHeaders: payments[0].sender.headers }),
    });
    await connected(browser);
    for (const payment of payments) {
      const hop = await floors.hop();
      hops.push(hop);
      ways.push(1000 * (await bookByHand(floors, [payment], `${seed}_p`)) + hop);
      const started = performance.now();
      const arrived = new Promise<void>((resolve) => {
        browser.on('transfer:changed', (view: { id: string; state: string }) => {
          if (view.id === payment.transferId && view.state === 'in_review') resolve();
        });
      });
      await product.deliver(payment.event);
      await arrived;
      times.push(performance.now() - started);
      browser.off('transfer:changed');
      await settled(product);
    }
    browser.close();
  }
  const warm = [times, hops, ways].map((each) => each.slice(warmUp));
  const [time, hop, way] = warm.map(median) as [number, number, number];
  return [
    { name: 'webhook to browser, p50', of: 'a bare hop', value: time / hop, unit: 'times' },
    { name: 'webhook to browser, p50', of: 'the booking by hand and a hop', value: time / way, unit: 'times' },
    { name: 'the booking by hand and a hop', of: 'a bare hop', value: way / hop, unit: 'times' },
  ];
}

/**
 * Statements that api and worker send for one payment at a time: the median, because a sweep falls upon some of them, without those of the
 * idle product. What follows the payment is counted beside it.
 */
export async function measureStatements({ product }: Bench): Promise<Figure[]> {
  const payments = await product.openPayments(9);
  const admin = await product.signInAdmin();
  await settled(product);
  const idle: Counted[] = [];
  for (let second = 0; second < 7; second += 1) idle.push(await counted(product, () => pause(1_000)));
  const cost = async (name: string, most: number, work: (payment: HeldPayment) => Promise<void>): Promise<Figure> => {
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
      return median(costs.map((one) => one[part] - idleRate * one.seconds));
    };
    const [all, payment, checks, mails] = (['all', 'payment', 'names', 'emails'] as const).map(medianOf) as number[];
    const note = `payment ${payment?.toFixed(1)}, check of names ${checks?.toFixed(1)}, e-mails ${mails?.toFixed(1)}`;
    return { name, value: all ?? Number.NaN, unit: 'statements', aim: { most }, note };
  };
  const booking = await cost('webhook to in_review', 12, async (payment) => {
    await product.deliver(payment.event);
    await reached(product, 'in_review', [payment]);
  });
  product.forwarding = true;
  const completion = await cost('approval to completed, later webhooks included', 30, async (payment) => {
    await product.approve(payment.transferId, admin);
    await reached(product, 'completed', [payment]);
    await pause(300);
  });
  product.forwarding = false;
  return [booking, completion];
}

let booked: HeldPayment[][] = [];

/** Bookings with 32 webhooks at a time, beside the whole booking by hand with one reading of the payment. */
export async function measureBooking(bench: Bench): Promise<Figure[]> {
  const { product, size, rounds } = bench;
  const perRound = Math.ceil(size / rounds);
  const payments = await product.openPayments(perRound * (rounds + 1));
  await settled(product);
  booked = Array.from({ length: rounds + 1 }, (_, round) => payments.slice(round * perRound, (round + 1) * perRound));
  return compared(bench, { name: 'booked', least: 0.5 }, async (some) => {
    await inLanes(some, 32, ({ event }, agent) => product.deliver(event, agent));
    await reached(product, 'in_review', some);
  });
}

/** Approvals until the money is paid out, beside the same floor as the bookings. */
export async function measureCompletion(bench: Bench): Promise<Figure[]> {
  const { product } = bench;
  if (booked.length === 0) await measureBooking(bench);
  const admin = await product.signInAdmin();
  product.forwarding = true;
  const lines = await compared(bench, { name: 'completed', least: 0.25 }, async (some) => {
    await inLanes(some, 8, ({ transferId }) => product.approve(transferId, admin));
    await reached(product, 'completed', some);
  });
  product.forwarding = false;
  return lines;
}

/** Work on each round of payments beside the same payments booked by hand, in time and in CPU. The first round warms up both sides. */
async function compared(
  bench: Bench,
  { name, least }: { name: string; least: number },
  work: (payments: readonly HeldPayment[]) => Promise<void>,
): Promise<Figure[]> {
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
  const parts = (['api', 'worker', 'postgres', 'redis', 'simulators'] as const).map(
    (part) => `${part} ${(share(part) * 100).toFixed(0)} %`,
  );
  const of = 'the booking by hand with one reading';
  const count = booked.slice(1).reduce((sum, round) => sum + round.length, 0);
  return [
    ofRounds({ name: `${name} a second`, of, aim: { least } }, ratios),
    { name: `${name}, CPU`, of, value: total('ours') / total('floor'), unit: 'times', note: parts.join(', ') },
    { name: `${name}, CPU of each`, value: (total('ours') / count) * 1000, unit: 'ms' },
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

/** What was asked of accepting so many at a time. */
const acceptanceAims = [
  { width: 1, least: 0.9 },
  { width: 8, least: 1 },
  { width: 32, least: 1.5 },
];

/** Webhooks about payments of nobody, by the api alone, beside a bare server with one insert and the same behind Nest. */
export async function measureAcceptance(bench: Bench): Promise<Figure[]> {
  const { product: other, floors, server, size, rounds, seed } = bench;
  const [sample] = await other.openPayments(1);
  await other.stack.stop('worker');
  await other.stack.stop('api');
  const product = await BenchProduct.start(
    server,
    'acceptance',
    other.redis && { ...other.redis, url: `${other.redis.url}/1` },
  );
  const lines: Figure[] = [];
  try {
    await settled(product);
    await product.stack.stop('worker');
    for (const { width, least } of acceptanceAims) {
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
          const bare = await measured({ ...bench, product }, () => floors.run('event', some, width));
          const forNest = some.map((event) => withId(event, 'n'));
          seconds.nest += await floors.run('nest', forNest, width);
          const accepted = await measured({ ...bench, product }, () =>
            inLanes(some, width, (event, agent) => product.deliver(event, agent)),
          );
          seconds.bare += bare.result;
          seconds.ours += accepted.result;
          if (round < 0) continue;
          cpu.bare += bare.cpu.floor + bare.cpu.postgres;
          cpu.ours += accepted.cpu.api + accepted.cpu.postgres + accepted.cpu.redis;
        }
        if (round < 0) continue;
        nest.push(seconds.bare / seconds.nest);
        ours.push(seconds.bare / seconds.ours);
      }
      const name = `accepted a second, ${width} at a time`;
      const note = `bare Nest ${median(nest).toFixed(2)}`;
      lines.push(
        { ...ofRounds({ name, of: 'a bare server', aim: { least } }, ours), note },
        {
          name: `accepted, ${width} at a time, CPU`,
          of: "the bare server's",
          value: cpu.ours / cpu.bare,
          unit: 'times',
        },
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

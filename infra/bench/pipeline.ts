import type { Agent } from 'node:http';
import type { HeldPayment } from './bench-product.ts';
import { type Cpu, measured, sumOf } from './cpu.ts';
import type { Bench, Figure } from './figure.ts';
import type { FloorPayment } from './floors.ts';
import { inLanes, median, until } from './load.ts';

const lanes = 32;
/** Payments and events that warm up each side: until then V8 is still compiling. */
const warmUpPayments = 100;
const warmUpEvents = 1_000;

/** What the product and the reference service have in common. */
interface Side<Payment extends FloorPayment> {
  readonly open: (count: number) => Promise<Payment[]>;
  readonly deliver: (event: string, agent?: Agent) => Promise<void>;
  readonly approve: (id: string) => Promise<void>;
  readonly countIn: (state: string, payments: readonly Payment[]) => Promise<number>;
  readonly settled: () => Promise<void>;
}

/** How long payments took on one side, and the CPU of all they made work. */
interface Course {
  readonly bookedSeconds: number;
  readonly completedSeconds: number;
  readonly cpu: Cpu;
}

/**
 * Payments from Stripe's webhook until they can be reviewed, and from their approval until the family is paid, 32 at a time, compared with the
 * reference service. The events that follow are delivered to both, as Stripe does.
 */
export async function measureTransfers(bench: Bench): Promise<Figure[]> {
  const { product, floor, size } = bench;
  const admin = await product.signInAdmin();
  const ours: Side<HeldPayment> = {
    open: (count) => product.openPayments(count),
    deliver: (event, agent) => product.deliver(event, agent),
    approve: (id) => product.approve(id, admin),
    countIn: (state, payments) => product.countIn(state, payments),
    settled: () => until('the product has nothing left to do', () => product.isQuiet(), 50),
  };
  const reference: Side<FloorPayment> = {
    open: (count) => floor.openPayments(count),
    deliver: (event, agent) => floor.deliver(event, { ...(agent && { agent }) }),
    approve: (id) => floor.approve(id),
    countIn: (state, payments) => floor.countIn(state, payments),
    settled: () => floor.settled(),
  };
  await run(bench, reference, warmUpPayments);
  await run(bench, ours, warmUpPayments);
  const byFloor = await run(bench, reference, size);
  const byUs = await run(bench, ours, size);
  const figure = (name: string, part: 'bookedSeconds' | 'completedSeconds'): Figure => {
    const [floorSeconds, seconds] = [byFloor[part], byUs[part]];
    return {
      ...{ name, of: 'the reference service', value: floorSeconds / seconds, aim: { least: 0.5 } },
      note: `${(size / seconds).toFixed(0)} in ${seconds.toFixed(1)} s; the reference ${(size / floorSeconds).toFixed(0)} in ${floorSeconds.toFixed(1)} s`,
    };
  };
  const each = (course: Course) => (sumOf(course.cpu) / size) * 1000;
  const parts = (['api', 'worker', 'postgres', 'redis', 'simulators'] as const).map(
    (part) => `${part} ${((byUs.cpu[part] / size) * 1000).toFixed(1)}`,
  );
  return [
    figure('booked per second', 'bookedSeconds'),
    { name: 'booked per second, alone', value: size / byUs.bookedSeconds, unit: 'per second' },
    figure('completed per second', 'completedSeconds'),
    {
      ...{ name: 'CPU per completed transfer', of: 'the reference service' },
      ...{ value: each(byUs) / each(byFloor), unit: 'times', aim: { most: 2 } },
      note: `${each(byUs).toFixed(1)} ms (${parts.join(', ')}); the reference ${each(byFloor).toFixed(1)} ms`,
    },
  ];
}

/** Books and completes `count` payments on one side. */
async function run<Payment extends FloorPayment>(bench: Bench, side: Side<Payment>, count: number): Promise<Course> {
  const { product } = bench;
  const payments = await side.open(count);
  await side.settled();
  const { result, cpu } = await measured(bench, async () => {
    const bookedSeconds = await timed(async () => {
      await inLanes(payments, lanes, ({ event }, agent) => side.deliver(event, agent));
      await reached(side, 'in_review', payments);
    });
    product.forward = side.deliver;
    const completedSeconds = await timed(async () => {
      await inLanes(payments, lanes, ({ transferId }) => side.approve(transferId));
      await reached(side, 'completed', payments);
    });
    await side.settled();
    product.forward = null;
    return { bookedSeconds, completedSeconds };
  });
  return { ...result, cpu };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function reached<Payment extends FloorPayment>(side: Side<Payment>, state: string, payments: readonly Payment[]) {
  await until(
    `${payments.length} transfers are ${state}`,
    async () => (await side.countIn(state, payments)) === payments.length,
    100,
  );
}

/** Events that one side accepts before the other one's turn, so that other work on the machine slows both alike. */
const turn = (width: number) => Math.max(50, width * 8);

/** Accepts webhooks about unknown payments without a worker, compared with a bare Nest route that inserts one row. The last figure: it leaves jobs behind. */
export async function measureAcceptance(bench: Bench): Promise<Figure[]> {
  const { product, floor, size, rounds } = bench;
  const { event: sample } = await product.holdPayment();
  await product.stack.stop('worker');
  const figures: Figure[] = [];
  for (const width of [1, 8, 32]) {
    const ratios: number[] = [];
    let cpu = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const count = round === 0 ? warmUpEvents : size;
      const events = Array.from({ length: count }, (_, index) => withId(sample, `${width}_${round}_${index}`));
      const seconds = { floor: 0, ours: 0 };
      const used = { floor: 0, ours: 0 };
      for (let from = 0; from < events.length; from += turn(width)) {
        const some = events.slice(from, from + turn(width));
        const bare = await measured(bench, () =>
          inLanes(some, width, (event, agent) => floor.deliver(event, { route: 'event', agent })),
        );
        const accepted = await measured(bench, () =>
          inLanes(some, width, (event, agent) => product.deliver(event, agent)),
        );
        seconds.floor += bare.result;
        seconds.ours += accepted.result;
        used.floor += sumOf(bare.cpu);
        used.ours += sumOf(accepted.cpu);
      }
      if (round === 0) continue;
      ratios.push(seconds.floor / seconds.ours);
      cpu = used.ours / used.floor;
    }
    figures.push({
      ...{ name: `webhooks accepted per second, ${width} at a time`, of: 'a bare Nest route' },
      ...{ value: median(ratios), each: ratios, aim: { least: 0.7 }, note: `CPU ${cpu.toFixed(2)} times` },
    });
  }
  return figures;
}

/** The same event with another id, about an unknown payment. */
function withId(event: string, suffix: string): string {
  return event
    .replace(/"id":\s*"(evt_\w+)"/, (_, id) => `"id":"${id}_${suffix}"`)
    .replaceAll(/"(pi_\w+)"/g, (_, id) => `"${id}_${suffix}"`);
}

import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { chain, type Rate } from '#core/rates/rate';
import { referenceRates } from '#domain/rate-observations/market-references';
import { setRate } from '#domain/rates/set-rate';
import { siteNames } from '../../sandbox/prices/modes.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { controlSandbox, type Sandbox } from '../../sandbox/testing/control-client.ts';
import { RatesFixture } from './rates-fixture.ts';

export const everyMs = 2 * 3_600_000;
/** Long enough for a busy machine to answer, short enough for hundreds of windows in a minute. */
const timeoutMs = 700;

const troubleKinds = [
  ...(['forbidden', 'too_many_requests', 'silent', 'cut'] as const),
  ...(['changed_shape', 'absurd_value', 'wrong_value'] as const),
] as const;
type TroubleKind = (typeof troubleKinds)[number];

interface Trouble {
  readonly site: (typeof siteNames)[number];
  readonly kind: TroubleKind;
  /** The window it begins in, and how many it lasts. */
  readonly from: number;
  readonly lasts: number;
}

interface OutageSchedule {
  readonly troubles: readonly Trouble[];
  /** Windows without a running worker. */
  readonly away: readonly { from: number; lasts: number }[];
  /** Windows in which the worker crashes in the middle of its run. */
  readonly deaths: readonly number[];
}

/**
 * The outages for a number of windows: short ones, some for hours, some for days; deterministic for a seed. `density`
 * multiplies how many short and middle ones there are per window.
 */
function scheduleOutages(windows: number, seed: number, density: number): OutageSchedule {
  const from = fc.integer({ min: 3, max: windows - 3 });
  const troubles = (count: number, least: number, most: number) => {
    const lasts = fc.integer({ min: least, max: most });
    const trouble = fc.record({
      site: fc.constantFrom(...siteNames),
      kind: fc.constantFrom(...troubleKinds),
      from,
      lasts,
    });
    return fc.array(trouble, { minLength: count, maxLength: count });
  };
  const hundredths = windows / 100;
  const outages = fc.record({
    troubles: fc
      .tuple(
        troubles(Math.round(20 * hundredths * density), 1, 1),
        troubles(Math.round(4 * hundredths * density), 2, 12),
        troubles(Math.round(1 * hundredths), 24, 48),
      )
      .map((parts) => parts.flat()),
    away: fc.array(fc.record({ from, lasts: fc.integer({ min: 1, max: Math.min(12, Math.ceil(windows / 20)) }) }), {
      minLength: 4,
      maxLength: 4,
    }),
    deaths: fc.uniqueArray(from, { minLength: 4, maxLength: 4 }),
  });
  const [only] = fc.sample(fc.noBias(outages), { seed, numRuns: 1 });
  return only as OutageSchedule;
}

const isIn = (window: number) => (span: { from: number; lasts: number }) =>
  window >= span.from && window < span.from + span.lasts;

/** How each kind is set in the sandbox; a fault applies to more requests than one run makes. */
const orders: Readonly<
  Record<
    TroubleKind,
    { fault: { kind: string; status?: number } } | { mode: 'changed_shape' | 'absurd_value' | 'wrong_value' }
  >
> = {
  forbidden: { fault: { kind: 'error', status: 403 } },
  too_many_requests: { fault: { kind: 'error', status: 429 } },
  silent: { fault: { kind: 'timeout' } },
  cut: { fault: { kind: 'drop' } },
  changed_shape: { mode: 'changed_shape' },
  absurd_value: { mode: 'absurd_value' },
  wrong_value: { mode: 'wrong_value' },
};

/** Sets the sites' behaviour for one window. */
async function applyOutages(sandbox: Sandbox, troubles: readonly Trouble[], modes: Map<string, string>): Promise<void> {
  await sandbox.clearFaults();
  const wanted = new Map<string, 'changed_shape' | 'absurd_value' | 'wrong_value'>();
  for (const { site, kind } of troubles) {
    const order = orders[kind];
    if ('mode' in order) wanted.set(site, order.mode);
    else await sandbox.fault({ ...order.fault, path: `^/prices/${site}/`, times: 100 });
  }
  for (const site of siteNames) {
    const mode = wanted.get(site) ?? 'normal';
    if ((modes.get(site) ?? 'normal') !== mode) await sandbox.priceMode(site, mode);
    modes.set(site, mode);
  }
}

export interface TimeLapseOptions {
  readonly databaseUrl: string;
  readonly windows: number;
  readonly seed: number;
  /** How much more goes wrong than in an ordinary month; 1 unless given. */
  readonly density?: number;
  /** The admin who sets our rates every day, a bit below the market; without one they are not set. */
  readonly adminId?: string;
  /** After every window in which rates were collected. */
  readonly onCollected?: (fixture: RatesFixture, at: Date) => Promise<void>;
}

/**
 * Runs the worker's collection of rates through `windows` intervals of two hours, the last one being now, with the
 * outages of such a period. Database, queues and HTTP to the sites are real; only the clock is not.
 */
export async function timeLapse(options: TimeLapseOptions): Promise<{ outages: OutageSchedule; beginning: Date }> {
  const { windows, seed, databaseUrl, density = 1 } = options;
  const outages = scheduleOutages(windows, seed, density);
  const beginning = new Date(Date.now() - (windows - 1) * everyMs);
  let now = beginning;
  const site = await startSandbox({ beginAt: beginning });
  const sandbox = controlSandbox(site.url);
  const modes = new Map<string, string>();
  const sourcesUrl = `${site.url}/prices`;
  const open = (longestWaitMs: number) =>
    RatesFixture.open({ databaseUrl, sourcesUrl, now: () => now, timeoutMs: longestWaitMs });
  let fixture: RatesFixture | null = null;
  /** Ticks of the schedule that no worker has processed. */
  let held = 0;
  try {
    for (let window = 0; window < windows; window += 1) {
      if (window > 0) await sandbox.advance(everyMs / 1000);
      now = new Date(beginning.getTime() + window * everyMs);
      held += 1;
      if (outages.away.some(isIn(window))) {
        await fixture?.close();
        fixture = null;
        continue;
      }
      await applyOutages(sandbox, outages.troubles.filter(isIn(window)), modes);
      const dies = outages.deaths.includes(window);
      if (dies) {
        // A request that hangs for as long as it takes, so that the crash happens in the middle of the run.
        await sandbox.fault({ kind: 'timeout', path: '^/prices/', times: 1 });
        await fixture?.close();
        fixture = null;
      }
      const armed = (await sandbox.faults()).length;
      if (fixture) {
        await fixture.tick(held);
      } else {
        fixture = await open(dies ? 60_000 : timeoutMs);
        await fixture.begin(held);
      }
      held = 0;
      if (dies) {
        while ((await sandbox.faults()).length === armed) await pause(10);
        await fixture.die();
        fixture = null;
        continue;
      }
      await fixture.settled();
      if (options.adminId && window % 12 === 0) await setOurRates(fixture, options.adminId, now);
      await options.onCollected?.(fixture, now);
    }
  } finally {
    await fixture?.close();
    await site.close();
  }
  return { outages, beginning };
}

/** One percent below the market, in whole centavos. */
async function setOurRates({ context }: RatesFixture, setById: string, at: Date): Promise<void> {
  const market = await referenceRates(context.database.fork(), at, everyMs);
  await context.database.transaction(async (em) => {
    for (const currency of ['USD', 'EUR'] as const) {
      const reference = market[currency];
      if (reference === null) continue;
      const rate = ((chain(reference, 990_000n as Rate) / 10_000n) * 10_000n) as Rate;
      await setRate(em, { currency, rate, setById, at });
    }
  });
}

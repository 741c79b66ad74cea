import fc from 'fast-check';
import { chain, type Rate } from '#core/rate';
import { referenceRates } from '#platform/database/observations';
import { setRate } from '#platform/database/rates';
import { siteNames } from '../sandbox/prices/modes.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { RatesRoom } from './rates-room.ts';
import { controlSandbox, type Sandbox } from './sandbox.ts';

export const everyMs = 2 * 3_600_000;
/** Long enough for a busy machine to answer, short enough for a month in a minute. */
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

interface Weather {
  readonly troubles: readonly Trouble[];
  /** While nobody collects. */
  readonly away: readonly { from: number; lasts: number }[];
  /** Windows in which the worker ends in the middle of its run. */
  readonly deaths: readonly number[];
}

/** What goes wrong in so many windows: hiccups, sources that are down for hours, some for days; the same for the same seed. */
function weatherOf(windows: number, seed: number): Weather {
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
  const weather = fc.record({
    troubles: fc
      .tuple(
        troubles(Math.round(20 * hundredths), 1, 1),
        troubles(Math.round(4 * hundredths), 2, 12),
        troubles(Math.round(1 * hundredths), 24, 48),
      )
      .map((parts) => parts.flat()),
    away: fc.array(fc.record({ from, lasts: fc.integer({ min: 1, max: 12 }) }), { minLength: 4, maxLength: 4 }),
    deaths: fc.uniqueArray(from, { minLength: 4, maxLength: 4 }),
  });
  const [only] = fc.sample(fc.noBias(weather), { seed, numRuns: 1 });
  return only as Weather;
}

const isIn = (window: number) => (span: { from: number; lasts: number }) =>
  window >= span.from && window < span.from + span.lasts;

/** How the sandbox is told; a fault holds for more requests than one run makes. */
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

/** Makes the sites behave as they should in this window. */
async function setWeather(sandbox: Sandbox, troubles: readonly Trouble[], modes: Map<string, string>): Promise<void> {
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
  /** Whoever sets our rates every day, a bit below the market; nobody does when absent. */
  readonly adminId?: string;
  /** After every window in which rates were collected. */
  readonly onCollected?: (room: RatesRoom, at: Date) => Promise<void>;
}

/**
 * Lets the part of the worker that collects rates live through `windows` intervals of two hours, the last of which is now, with
 * everything that goes wrong in such a time. The database, the queues and the wire to the sites are real; only the clock is not.
 */
export async function timeLapse(options: TimeLapseOptions): Promise<{ weather: Weather; beginning: Date }> {
  const { windows, seed, databaseUrl } = options;
  const weather = weatherOf(windows, seed);
  const beginning = new Date(Date.now() - (windows - 1) * everyMs);
  let now = beginning;
  const world = await startSandbox({ beginAt: beginning });
  const sandbox = controlSandbox(world.url);
  const modes = new Map<string, string>();
  const open = () => RatesRoom.open({ databaseUrl, sourcesUrl: `${world.url}/prices`, now: () => now, timeoutMs });
  let room: RatesRoom | null = null;
  /** Ticks of the schedule that nobody has taken. */
  let held = 0;
  try {
    for (let window = 0; window < windows; window += 1) {
      if (window > 0) await sandbox.advance(everyMs / 1000);
      now = new Date(beginning.getTime() + window * everyMs);
      held += 1;
      if (weather.away.some(isIn(window))) {
        await room?.close();
        room = null;
        continue;
      }
      await setWeather(sandbox, weather.troubles.filter(isIn(window)), modes);
      const dies = weather.deaths.includes(window);
      // Something to wait for, so that it ends in the middle.
      if (dies) await sandbox.fault({ kind: 'timeout', path: '^/prices/ecb/', times: 100 });
      if (!room) {
        room = await open();
        await room.begin();
      }
      await room.tick(held);
      held = 0;
      if (dies) {
        await room.die();
        room = null;
        continue;
      }
      await room.settled();
      if (options.adminId && window % 12 === 0) await setOurRates(room, options.adminId, now);
      await options.onCollected?.(room, now);
    }
  } finally {
    await room?.close();
    await world.close();
  }
  return { weather, beginning };
}

/** One percent below the market, in whole centavos. */
async function setOurRates({ engine }: RatesRoom, setById: string, at: Date): Promise<void> {
  const market = await referenceRates(engine.database.read(), at, everyMs);
  await engine.database.transaction(async (em) => {
    for (const currency of ['USD', 'EUR'] as const) {
      const reference = market[currency];
      if (reference === null) continue;
      const rate = ((chain(reference, 990_000n as Rate) / 10_000n) * 10_000n) as Rate;
      await setRate(em, { currency, rate, setById, at });
    }
  });
}

import { banks, wallets } from '#core/recipients/banks';
import { dayMs, laPazZone, minuteMs } from '#core/time/time';
import { type ArrivalTime, measuredDays, minMeasured, quarterHours } from '#core/transfers/arrival-times';
import { type Move, transferMoves } from '#core/transfers/states';
import { type Database, type EntityManager, runSql } from '#platform/database/database';

/** How long figures of the last thirty days are cached. */
const keptMs = 10 * minuteMs;

/** Only the newest are measured, so that the cost of reading is bounded. */
const maxMeasured = 5000;

/** A bank's name is free text in old rows, so only known names are published. */
const knownBanks = [...banks, ...wallets];

const arrivals = Object.entries<Move>(transferMoves)
  .filter(([, { to }]) => to === 'completed')
  .map(([name]) => name);

/**
 * The duration of payouts in the last thirty days, by bank, and by bank and quarter of the day of the authorization. A
 * transfer whose payout was first rejected or returned counts from the authorization to the final deposit.
 */
export async function readArrivalTimes(em: EntityManager, now: Date): Promise<ArrivalTime[]> {
  const since = new Date(now.getTime() - measuredDays * dayMs);
  const values = [since, maxMeasured, arrivals, knownBanks, laPazZone, quarterHours, minMeasured];
  const rows = await runSql<{
    bank: string;
    quarter: number | null;
    count: number;
    median: number;
    ninetieth: number;
  }>(em, measureArrivals, values);
  return rows.map(({ median, ninetieth, ...group }) => ({
    ...group,
    medianMinutes: median,
    ninetiethMinutes: ninetieth,
  }));
}

const measureArrivals = `
    select bank, quarter, count(*)::int as count, percentile_disc(0.5) within group (order by minutes) as median,
      percentile_disc(0.9) within group (order by minutes) as ninetieth
    from (
      select payout_target->>'bankName' as bank, floor(extract(hour from paid_at at time zone $5) / $6::int)::int as quarter,
        ceil(extract(epoch from arrived.at - paid_at) / 60)::int as minutes
      from (
        select id, payout_target, paid_at from transfer
        where state = 'completed' and changed_at >= $1 and paid_at is not null order by changed_at desc limit $2
      ) newest
      cross join lateral (
        select at from transfer_step where transfer_id = newest.id and move = any($3::text[]) order by version desc limit 1
      ) arrived
    ) measured
    where bank = any($4::text[])
    group by grouping sets ((bank), (bank, quarter))
    having count(*) >= $7
    order by bank, quarter nulls first`;

/** The measured times, cached in this process for some minutes: they are public and change slowly. */
export class ArrivalTimes {
  readonly #database: Database;
  #kept: { readonly at: number; readonly times: Promise<ArrivalTime[]> } | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  read(now: Date): Promise<readonly ArrivalTime[]> {
    if (this.#kept && now.getTime() - this.#kept.at < keptMs) return this.#kept.times;
    const kept = { at: now.getTime(), times: this.#database.read((em) => readArrivalTimes(em, now)) };
    this.#kept = kept;
    // A failed read is not cached.
    kept.times.catch(() => {
      if (this.#kept === kept) this.#kept = null;
    });
    return kept.times;
  }
}

import { banks, wallets } from '#core/recipients/banks';
import { dayMs, laPazZone, minuteMs } from '#core/time/time';
import { type ArrivalTime, leastMeasured, measuredDays, quarterHours } from '#core/transfers/arrival-times';
import { type Move, transferMoves } from '#core/transfers/states';
import { type Database, type EntityManager, runSql } from '#platform/database/database';

/** How long figures of the last thirty days are shown before they are read again. */
const keptMs = 10 * minuteMs;

/** Only the newest are measured, so that reading costs the same however many there are. */
const mostMeasured = 5000;

/** A bank's name is free text in old rows: only known ones are shown to everybody. */
const knownBanks = [...banks, ...wallets];

const arrivals = Object.entries<Move>(transferMoves)
  .filter(([, { to }]) => to === 'completed')
  .map(([name]) => name);

/**
 * How long the payouts of the last thirty days took, by bank, and by bank and quarter of the day in which the card was held. A transfer
 * that the bank first refused or returned counts from the card to the deposit that stayed.
 */
export async function readArrivalTimes(em: EntityManager, now: Date): Promise<ArrivalTime[]> {
  const since = new Date(now.getTime() - measuredDays * dayMs);
  const values = [since, mostMeasured, arrivals, knownBanks, laPazZone, quarterHours, leastMeasured];
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

/** The measured times, kept in this process for some minutes: they are shown to everybody and change slowly. */
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
    // A failed read is not kept.
    kept.times.catch(() => {
      if (this.#kept === kept) this.#kept = null;
    });
    return kept.times;
  }
}

import type { SendCurrency } from '#core/money/money';
import { laPazDay, minuteMs } from '#core/time/time';
import type { Database } from '#platform/database/database';
import { type RatePoint, rateSeries } from './rate-history.ts';

/** Should a row ever commit after one with a larger id, it is shown this much later at most. */
const keepMs = minuteMs;

interface Remembered {
  readonly stamp: string;
  readonly at: number;
  readonly points: Promise<RatePoint[]>;
}

/**
 * The series, computed once for everybody as long as nothing new is written down: a year of them takes a tenth of a second
 * of the database, and after every collection all open charts ask at once.
 */
export class RememberedSeries {
  readonly #database: Database;
  readonly #known = new Map<string, Remembered>();

  constructor(database: Database) {
    this.#database = database;
  }

  async read(question: { currency: SendCurrency; days: number }): Promise<RatePoint[]> {
    const now = new Date();
    const key = `${question.currency} ${question.days}`;
    const stamp = `${laPazDay(now)} ${await this.#newestIds()}`;
    const known = this.#known.get(key);
    if (known?.stamp === stamp && now.getTime() - known.at < keepMs) return known.points;
    const points = rateSeries(this.#database.fork(), { ...question, now });
    this.#known.set(key, { stamp, at: now.getTime(), points });
    // A failure is for who asked now; the next one tries again.
    points.catch(() => this.#known.delete(key));
    return points;
  }

  /** Rates and observations are append-only: the largest ids say whether there is anything new. */
  async #newestIds(): Promise<string> {
    const [row] = await this.#database
      .fork()
      .execute<[{ rate: string; observation: string }]>(
        'select (select max(id) from rate) as rate, (select max(id) from rate_observation) as observation',
      );
    return `${row.rate} ${row.observation}`;
  }
}

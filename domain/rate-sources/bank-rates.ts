import type { Rate } from '#core/rates/rate';
import type { EntityManager } from '#platform/database/database';

/** What one bank paid for a dollar, and how it stands among the others: 1 is the best, equal ones share a rank. */
export interface RankedBank {
  readonly bank: string;
  readonly rate: Rate;
  readonly rank: number;
}

/** The central bank's table as it was last read, best first. */
export interface BankBoard {
  /** The day it speaks of, "YYYY-MM-DD". */
  readonly day: string;
  readonly collectedAt: Date;
  readonly banks: readonly RankedBank[];
}

/** The table of the newest day, or null while it was never read. Of several readings of that day the last one counts. */
export async function newestBankBoard(em: EntityManager): Promise<BankBoard | null> {
  const rows: { day: string; bank: string; rate: string; rank: string; observed_at: Date }[] = await em.execute(
    `with newest as (select day, run_id from bank_rate order by day desc, observed_at desc, id desc limit 1)
     select day::text, bank, rate, rank() over (order by rate desc) as rank, observed_at
       from bank_rate join newest using (day, run_id) order by rate desc, bank`,
  );
  const [best] = rows;
  if (!best) return null;
  const banks = rows.map(({ bank, rate, rank }) => ({ bank, rate: BigInt(rate) as Rate, rank: Number(rank) }));
  return { day: best.day, collectedAt: new Date(best.observed_at), banks };
}

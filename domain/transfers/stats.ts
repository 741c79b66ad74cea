import type { AdminStats } from '#core/contracts/http/admin';
import { formatMinor } from '#core/money/money';
import { percentChange } from '#core/money/percent';
import type { EntityManager } from '#platform/database/database';
import { readFigures } from './transfer-figures.repository.ts';

/** The business figures at a moment. Days and months are those of La Paz. */
export async function readStats(em: EntityManager, at: Date): Promise<AdminStats> {
  const figures = await readFigures(em, at);
  return {
    dailyVolume: formatMinor(figures.today),
    monthlyVolume: formatMinor(figures.thisMonth),
    dailyTrend: trend(figures.today, figures.yesterday),
    monthlyTrend: trend(figures.thisMonth, figures.lastMonth),
    pendingTransactions: figures.pending,
    completedTransactions: figures.completed,
    rejectedTransactions: figures.rejected,
    totalUsers: figures.users,
    activeUsers: figures.active,
    views: { to_decide: figures.toDecide, stuck: figures.stuck, today: figures.openedToday },
  };
}

/** Null without a previous value. */
function trend(now: bigint, before: bigint): string | null {
  return before === 0n ? null : percentChange(before, now, 'towards_zero');
}

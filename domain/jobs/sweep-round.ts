import { hourMs } from '#core/time/time';

/**
 * A name of the time in which a sweep asks once for what has been due `since` a moment, for the key of its job. Each round of the first
 * hour is as long as all before it, later ones take an hour: where a worker is slow, a new key in every sweep would add jobs for the same
 * things faster than it ends them. `sweepEveryMs`: how long the sweeps are apart.
 */
export function sweepRound({ since, now, sweepEveryMs }: { since: Date; now: Date; sweepEveryMs: number }): string {
  const age = now.getTime() - since.getTime();
  if (age > hourMs) return `h${Math.floor(now.getTime() / hourMs)}`;
  const round = Math.max(0, Math.floor(Math.log2(age / sweepEveryMs)));
  // What changes meanwhile begins anew.
  return `s${since.getTime()}-${round}`;
}

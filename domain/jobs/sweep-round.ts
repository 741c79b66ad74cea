import { hourMs } from '#core/time/time';

/**
 * A job-key suffix for the time span in which a sweep queues work due `since` a moment only once. Each round of the
 * first hour is as long as all previous ones together, later rounds take an hour: if a worker is slow, a new key in
 * every sweep would add duplicate jobs faster than it finishes them. `sweepEveryMs`: interval of the sweeps.
 */
export function sweepRound({ since, now, sweepEveryMs }: { since: Date; now: Date; sweepEveryMs: number }): string {
  const age = now.getTime() - since.getTime();
  if (age > hourMs) return `h${Math.floor(now.getTime() / hourMs)}`;
  const round = Math.max(0, Math.floor(Math.log2(age / sweepEveryMs)));
  // A change restarts the rounds.
  return `s${since.getTime()}-${round}`;
}

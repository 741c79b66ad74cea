import type { WorkItem } from '#core/contracts/http/queues';
import { durationText } from '../../../lib/format/dates.ts';
import { formatDecimal } from '../../../lib/format/numbers.ts';

/** How long a step took from its start to its end: "120 ms", "3,2 s", "5 min"; empty while it is open. */
export function tookText({ began_at, added_at, ended_at, type }: WorkItem): string {
  if (ended_at === null) return '';
  // An operation spans its attempts; a job is waited for before it runs.
  const from = type === 'operation' ? added_at : (began_at ?? added_at);
  const ms = Math.max(0, Date.parse(ended_at) - Date.parse(from));
  if (ms < 1_000) return `${ms} ms`;
  return ms < 60_000 ? `${formatDecimal((ms / 1_000).toFixed(1))} s` : durationText(ms);
}

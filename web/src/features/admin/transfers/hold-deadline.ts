import type { AdminTransferView } from '#core/contracts/http/admin';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How near the end of a card hold is: under 48 h it asks for attention, under 24 h for a decision now. */
export type HoldLevel = 'calm' | 'soon' | 'urgent' | 'over';

export interface HoldDeadline {
  readonly level: HoldLevel;
  /** End of the hold, ISO. */
  readonly endsAt: string;
  /** "2 d 3 h", "23 h", "40 min"; empty when over. */
  readonly left: string;
}

/** Deadline of a transfer that waits for a decision at `now` (ms); null for every other one. */
export function holdDeadline(
  transfer: Pick<AdminTransferView, 'state' | 'capture_before'>,
  now: number,
): HoldDeadline | null {
  if (transfer.state !== 'in_review' || transfer.capture_before === null) return null;
  const leftMs = Date.parse(transfer.capture_before) - now;
  return { level: levelOf(leftMs), endsAt: transfer.capture_before, left: durationText(leftMs) };
}

function levelOf(leftMs: number): HoldLevel {
  if (leftMs <= 0) return 'over';
  if (leftMs < 24 * hourMs) return 'urgent';
  return leftMs < 48 * hourMs ? 'soon' : 'calm';
}

function durationText(ms: number): string {
  if (ms <= 0) return '';
  if (ms < hourMs) return `${Math.max(1, Math.floor(ms / minuteMs))} min`;
  const hours = Math.floor(ms / hourMs);
  if (hours < 48) return `${hours} h`;
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

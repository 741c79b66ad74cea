import { expect, test } from 'vitest';
import { sessionEnd } from './session-end.ts';

const hour = 3_600_000;
const limits = { idleMs: 2 * hour, rememberedIdleMs: 14 * 24 * hour, adminIdleMs: hour / 2, adminMs: 12 * hour };
const from = Date.parse('2026-11-23T08:00:00Z');

/** In hours since it was opened. */
function end(input: { lasts: number; seenAt: number; admin?: boolean }) {
  const at = (hours: number) => new Date(from + hours * hour);
  const session = { createdAt: at(0), lastSeenAt: at(input.seenAt), expiresAt: at(input.lasts) };
  const { at: ends, reason } = sessionEnd(session, input.admin ?? false, limits);
  return [(ends.getTime() - from) / hour, reason];
}

test.each([
  ['a sender, unused', { lasts: 12, seenAt: 1 }, [3, 'idle']],
  ['a sender, used until its time is up', { lasts: 12, seenAt: 11 }, [12, 'expired']],
  ['a sender who is remembered, unused', { lasts: 720, seenAt: 24 }, [360, 'idle']],
  ['a sender who is remembered, used to the end', { lasts: 720, seenAt: 700 }, [720, 'expired']],
  ['an admin, unused', { lasts: 12, seenAt: 1, admin: true }, [1.5, 'idle']],
  ['an admin who asked to be remembered', { lasts: 720, seenAt: 11.9, admin: true }, [12, 'expired']],
] as const)('the session of %s ends in time', (_, input, ends) => {
  expect(end(input)).toEqual(ends);
});

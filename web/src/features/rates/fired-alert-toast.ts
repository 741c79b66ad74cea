import { formatRateLine } from '../../lib/format/money.ts';
import { formatDecimal } from '../../lib/format/numbers.ts';
import { followLive } from '../../lib/live.ts';
import { toastDone } from '../../lib/toast.ts';

const shownMs = 15_000;

/** A push may come twice. */
const told = new Set<string>();

// Loaded by the frame of every page, so that the toast appears on any page.
followLive('rate-alert:fired', (_queryClient, { id, currency, rate, firedRate }) => {
  if (told.has(id) || firedRate === null) return;
  told.add(id);
  toastDone(
    'La tasa llegó a tu valor',
    `${formatRateLine(firedRate, currency)}. Pediste el aviso para ${formatDecimal(rate)}.`,
    shownMs,
  );
});

import { t } from '@lingui/core/macro';
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
  const [line, asked] = [formatRateLine(firedRate, currency), formatDecimal(rate)];
  toastDone(t`La tasa llegó a tu valor`, t`${line}. Pediste el aviso para ${asked}.`, shownMs);
});

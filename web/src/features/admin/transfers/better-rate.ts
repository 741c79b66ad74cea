import type { AdminTransferView } from '#core/contracts/http/admin';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import { formatMinor, parseMinor } from '#core/money/money';
import { formatBasisPoints } from '#core/money/percent';
import { formatRate, parseRate, type Rate } from '#core/rates/rate';
import { betterTerms } from '#core/transfers/better-rate';
import { exchangeMargin } from '#core/transfers/quote';
import { rateDeskQuery } from '../../../data/admin-panel.ts';
import { useOptionalQuery } from '../../../data/optional-query.ts';

const exact = (rate: string) => parseRate(rate) as Rate;
const minor = (amount: string) => parseMinor(amount) ?? 0n;

/** A transfer as it is, or as its approval would make it now: with the rate in force where that is promised and gives the recipient more. */
export function asApprovedNow(transfer: AdminTransferView, desk: RateManagementView | undefined): AdminTransferView {
  const { inForce, reference } = desk?.currencies[transfer.currency] ?? {};
  if (!inForce || transfer.state !== 'in_review') return transfer;
  const netMinor = minor(transfer.net_amount);
  const { accepted, rate, amount_bs: bolivianos } = transfer;
  const better = betterTerms(
    {
      ...{ takesBetterRate: transfer.takes_better_rate, netMinor, acceptedRate: accepted && exact(accepted.rate) },
      ...{ rate: exact(rate), bolivianosMinor: minor(bolivianos) },
    },
    {
      ...{ rate: exact(inForce.rate), since: new Date(inForce.lastUpdated), paused: inForce.paused },
      reference: reference ? exact(reference.rate) : null,
    },
  );
  if (!better) return transfer;
  const { referenceRate, markupBasisPoints } = better;
  return {
    ...transfer,
    ...{ rate: formatRate(better.rate), amount_bs: formatMinor(better.bolivianosMinor) },
    accepted: { rate, bolivianos },
    markup_percent: markupBasisPoints === null ? null : formatBasisPoints(markupBasisPoints),
    margin: referenceRate === null ? null : formatMinor(exchangeMargin({ netMinor, rate: better.rate, referenceRate })),
  };
}

/** The same with the rates as they are now. */
export function useApprovedNow(transfer: AdminTransferView): AdminTransferView {
  const data = useOptionalQuery({
    ...rateDeskQuery,
    enabled: transfer.takes_better_rate && transfer.state === 'in_review',
  });
  return asApprovedNow(transfer, data);
}

import type { TransferProfitView } from '#core/contracts/http/reconciliation';
import { estimatedFee, type PriceList } from '#core/reconciliation/price-list';
import { type EstimatedPart, withTotal } from '#core/reconciliation/profit';
import { exchangeMargin } from '#core/transfers/quote';
import type { EntityManager } from '#platform/database/database';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { toProfitView } from './book-views.ts';
import { findTransferProfit } from './days.repository.ts';

/**
 * The profit of a charged transfer in each currency. The reconciliation books the processor's fee and the exchange
 * margin a day later: until then they are estimated from the price list and from the market rate stored with the quote.
 */
export async function viewTransferProfit(
  em: EntityManager,
  transfer: Transfer,
  prices: PriceList | null,
): Promise<TransferProfitView[]> {
  const profits = await findTransferProfit(em, transfer.id);
  const booked = await findBookedParts(em, transfer.id);
  return profits.map(({ currency, profit }) => {
    const missing = currency === transfer.currency ? estimatesOf(transfer, prices, booked) : {};
    const estimated = Object.keys(missing) as EstimatedPart[];
    return { ...toProfitView(currency, withTotal({ ...profit, ...missing })), estimated };
  });
}

/** States in which the exchange of a charged transfer still earns its margin. */
const keptStates: readonly Transfer['state'][] = ['captured', 'payout_failed', 'completed'];

/** Estimates of the parts not booked yet; costs are negative. */
function estimatesOf(
  { amountMinor, netMinor, rate, referenceRate, state }: Transfer,
  prices: PriceList | null,
  booked: Readonly<Record<EstimatedPart, boolean>>,
): Partial<Record<EstimatedPart, bigint>> {
  const isMarginDue = !booked.margin && referenceRate != null && keptStates.includes(state);
  return {
    ...(isMarginDue && { margin: exchangeMargin({ netMinor, rate, referenceRate }) }),
    ...(!booked.processor && prices && { processor: -estimatedFee(amountMinor, prices) }),
  };
}

async function findBookedParts(em: EntityManager, transferId: string): Promise<Record<EstimatedPart, boolean>> {
  const [row] = await em.execute<Record<EstimatedPart, boolean>[]>(
    `select coalesce(bool_or('exchange_margin' in (source, destination)), false) as margin,
       coalesce(bool_or('processor_fees' in (source, destination)), false) as processor
     from ledger_line where transfer_id = ?`,
    [transferId],
  );
  return row as Record<EstimatedPart, boolean>;
}

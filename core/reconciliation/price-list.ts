/** The card processor's prices: several for a charge, as cards differ, and one for a dispute. */
export interface PriceList {
  readonly charges: readonly { readonly basisPoints: bigint; readonly fixedMinor: bigint }[];
  readonly disputeMinor: bigint;
}

/** Half a minor unit is rounded up, as Stripe does. */
function priceOf(amountMinor: bigint, price: PriceList['charges'][number]): bigint {
  return (amountMinor * price.basisPoints + 5000n) / 10_000n + price.fixedMinor;
}

/** The fee of a movement by the price list, in minor units: the one that was taken if the list has it, else the nearest. */
export function expectedFee(
  { kind, amountMinor, feeMinor }: { kind: string; amountMinor: bigint; feeMinor: bigint },
  prices: PriceList,
): bigint {
  if (kind === 'dispute') return prices.disputeMinor;
  if (kind !== 'charge') return 0n;
  const distance = (fee: bigint) => (fee > feeMinor ? fee - feeMinor : feeMinor - fee);
  const fees = prices.charges.map((price) => priceOf(amountMinor, price));
  return fees.reduce((best, fee) => (distance(fee) < distance(best) ? fee : best), fees[0] ?? feeMinor);
}

/** What a charge costs at most by the price list, in minor units: an estimate for as long as the processor has not said its fee. */
export function estimatedFee(amountMinor: bigint, { charges }: PriceList): bigint {
  let highest = 0n;
  for (const price of charges) {
    const fee = priceOf(amountMinor, price);
    if (fee > highest) highest = fee;
  }
  return highest;
}

/** Reads "290+30,150+25;1500": prices of charges in basis points and minor units, then that of a dispute. Null for anything else. */
export function parsePriceList(text: string): PriceList | null {
  const match = /^(\d{1,4}\+\d{1,6}(?:,\d{1,4}\+\d{1,6})*);(\d{1,6})$/.exec(text);
  if (!match) return null;
  const charges = (match[1] as string).split(',').map((price) => {
    const [basisPoints = '', fixedMinor = ''] = price.split('+');
    return { basisPoints: BigInt(basisPoints), fixedMinor: BigInt(fixedMinor) };
  });
  return { charges, disputeMinor: BigInt(match[2] as string) };
}

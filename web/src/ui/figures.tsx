import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Currency } from '#core/money/money';
import { formatAmount, formatRateLine } from '../lib/format/money.ts';
import { percentText } from '../lib/format/numbers.ts';

type Looks = Pick<TextProps, 'fz' | 'fw' | 'c' | 'className'> & { 'data-testid'?: string };

/** An amount as the api sends it ("1291.40"), written for the reader: "Bs 1.291,40". */
export function Money({ amount, currency, ...looks }: { amount: string; currency: Currency } & Looks) {
  return <Figure {...looks}>{formatAmount(amount, currency)}</Figure>;
}

/** A percentage as the api sends it ("1.25"), written for the reader; `signed` where its sign counts: "+1,25 %". */
export function Percent({ value, signed = false, ...looks }: { value: string; signed?: boolean } & Looks) {
  return <Figure {...looks}>{percentText(value, signed ? 'signed' : 'plain')}</Figure>;
}

/** What one unit of a currency costs, written for the reader: "1 EUR = 13,38 Bs". */
export function ExchangeRate({ rate, currency, ...looks }: { rate: string; currency: Currency } & Looks) {
  return <Figure {...looks}>{formatRateLine(rate, currency)}</Figure>;
}

/** Digits of equal width on one line, in the type of the text around them. A browser's translator would keep figures that are old by now. */
function Figure({ className = '', ...props }: Looks & { children: ReactNode }) {
  return <Text span inherit translate="no" className={`cq-num ${className}`} {...props} />;
}

import { t } from '@lingui/core/macro';
import { Divider, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Currency, SendCurrency } from '#core/money/money';
import { bolivianosUnit, formatAmount, formatRateLine } from '../../lib/format/money.ts';
import { percentText } from '../../lib/format/numbers.ts';
import { DataItem, DataList } from '../../ui/data-list.tsx';
import classes from './breakdown.module.css';

/** The figures of a quote or a transfer, as the wire has them. */
export interface Figures {
  readonly currency: SendCurrency;
  readonly amount: string;
  readonly fee: string;
  readonly netAmount: string;
  readonly bs: string;
  readonly rate: string;
  /** Our mark-up over the market's reference, "2.18"; its line is left out when it is not known. */
  readonly markupPercent?: string | null;
}

/** What the lines are called, and how figures are written. */
export interface BreakdownLabels {
  readonly arrives: string;
  readonly paid: string;
  readonly fee: string;
  readonly net: string;
  readonly rate: string;
  readonly market: string;
  /** A mark-up in labels: how our rate stands to the market's. */
  readonly toMarket: (markupPercent: string) => string;
  readonly money: (decimal: string, currency: Currency) => string;
  readonly rateLine: (rate: string, currency: SendCurrency) => string;
}

/** The labels in the page's language. */
export const breakdownLabels = (): BreakdownLabels => ({
  arrives: t`Llega a Bolivia`,
  paid: t`Pagas con tu tarjeta`,
  fee: t`Comisión`,
  net: t`Monto que se cambia`,
  rate: t`Tasa`,
  market: t`Frente al mercado`,
  toMarket: (markupPercent) => {
    const percent = percentText(markupPercent.replace('-', ''));
    return markupPercent.startsWith('-') ? t`${percent} más` : t`${percent} menos`;
  },
  money: formatAmount,
  rateLine: formatRateLine,
});

/** As `breakdownLabels`, for texts that are made before the language is known. */
export const spanishBreakdown: BreakdownLabels = {
  get arrives() {
    return breakdownLabels().arrives;
  },
  get paid() {
    return breakdownLabels().paid;
  },
  get fee() {
    return breakdownLabels().fee;
  },
  get net() {
    return breakdownLabels().net;
  },
  get rate() {
    return breakdownLabels().rate;
  },
  get market() {
    return breakdownLabels().market;
  },
  toMarket: (markupPercent) => breakdownLabels().toMarket(markupPercent),
  money: formatAmount,
  rateLine: formatRateLine,
};

/** "2.18 % menos" of a mark-up of 2.18, "1.20 % más" of one below zero. */
export function toMarket(markupPercent: string, less: string, more: string): string {
  return markupPercent.startsWith('-') ? `${markupPercent.slice(1)} % ${more}` : `${markupPercent} % ${less}`;
}

/**
 * Where money stands, everywhere the same: what arrives first and biggest, then what is paid, fee, net and rate in one
 * aligned column. Without figures it keeps its shape while they are on their way.
 */
export function Breakdown({
  figures,
  labels = breakdownLabels(),
  paidLabel = labels.paid,
  arrivesLabel = labels.arrives,
  off = false,
  blank = false,
  asked = false,
  testid = 'breakdown',
  children,
}: {
  /** Null while they are on their way. */
  figures: Figures | null;
  labels?: BreakdownLabels;
  /** How the paid amount is called when it is not the reader who pays. */
  paidLabel?: string;
  arrivesLabel?: string;
  /** The transfer did not happen: its figures stay readable, but nothing of it shines. */
  off?: boolean;
  /** There is nothing to compute yet: dashes instead of figures. */
  blank?: boolean;
  /** Amount and rate stand in fields above and are not said again; what arrives is bigger still. */
  asked?: boolean;
  /** The testids begin with it. */
  testid?: string;
  children?: ReactNode;
}) {
  const line = (label: string, value: (figures: Figures) => string, name: string) => (
    <DataItem label={label} testid={`${testid}-${name}`}>
      {figures ? (
        <span className="cq-num">{value(figures)}</span>
      ) : blank ? (
        '—'
      ) : (
        <Skeleton component="span" display="inline-block" height={14} width={88} />
      )}
    </DataItem>
  );
  return (
    <Stack gap="sm" aria-busy={!figures && !blank}>
      <div>
        <Text c="dimmed">{arrivesLabel}</Text>
        <div
          className={`${classes.arrives} cq-big cq-num`}
          data-off={off || blank || undefined}
          data-asked={asked || undefined}
          data-testid={`${testid}-bs`}
        >
          {figures ? (
            labels.money(figures.bs, 'BOB')
          ) : blank ? (
            `${bolivianosUnit()} —`
          ) : (
            <Skeleton component="span" display="inline-block" height="0.8em" width="5em" />
          )}
        </div>
      </div>
      <Divider />
      <DataList values="end">
        {!asked && line(paidLabel, (f) => labels.money(f.amount, f.currency), 'amount')}
        {line(labels.fee, (f) => labels.money(f.fee, f.currency), 'fee')}
        {line(labels.net, (f) => labels.money(f.netAmount, f.currency), 'net')}
        {!asked && line(labels.rate, (f) => labels.rateLine(f.rate, f.currency), 'rate')}
        {figures?.markupPercent && line(labels.market, () => labels.toMarket(figures.markupPercent ?? ''), 'market')}
        {children}
      </DataList>
    </Stack>
  );
}

/** One more line in the same column. */
export function BreakdownLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataItem label={label}>
      <span className="cq-num">{children}</span>
    </DataItem>
  );
}

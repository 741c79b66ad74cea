import { t } from '@lingui/core/macro';
import { Divider, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SendCurrency } from '#core/money/money';
import { bolivianosUnit, formatAmount, formatBolivianos, formatRateLine } from '../../lib/format/money.ts';
import { percentText } from '../../lib/format/numbers.ts';
import { DataItem, DataList } from '../../ui/data-list.tsx';

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

/** "2.18% less" of a mark-up of 2.18, "1.20% more" of one below zero: how our rate stands to the market's. */
function toMarket(markupPercent: string): string {
  const percent = percentText(markupPercent.replace('-', ''));
  return markupPercent.startsWith('-') ? t`${percent} más` : t`${percent} menos`;
}

/** Lines that a page calls its own way. */
export interface BreakdownLabels {
  /** How the paid amount is called when it is not the reader who pays. */
  paidLabel?: string;
  arrivesLabel?: string;
  feeLabel?: string;
}

/**
 * Where money stands, everywhere the same: what arrives first and biggest, then what is paid, fee, net and rate in one
 * aligned column. Without figures it keeps its shape while they are on their way.
 */
export function Breakdown({
  figures,
  paidLabel = t`Pagas con tu tarjeta`,
  arrivesLabel = t`Llega a Bolivia`,
  feeLabel = t`Comisión`,
  off = false,
  blank = false,
  asked,
  testid = 'breakdown',
  children,
}: {
  /** Null while they are on their way. */
  figures: Figures | null;
  /** The transfer did not happen: its figures stay readable, but nothing of it shines. */
  off?: boolean;
  /** There is nothing to compute yet: dashes instead of figures. */
  blank?: boolean;
  /** The rate and what was asked for stand in fields above and are not said again; what arrives is bigger still. */
  asked?: 'pay' | 'receive' | undefined;
  /** The testids begin with it. */
  testid?: string;
  children?: ReactNode;
} & BreakdownLabels) {
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
          className="cq-big cq-num"
          style={{
            fontSize: asked ? 'clamp(2.5rem, 1.9rem + 2.6vw, 3.25rem)' : 'clamp(2.125rem, 1.7rem + 2vw, 2.75rem)',
            lineHeight: 1.15,
            color: off || blank ? 'var(--mantine-color-dimmed)' : 'var(--cq-good)',
          }}
          data-testid={`${testid}-bs`}
        >
          {figures ? (
            formatBolivianos(figures.bs)
          ) : blank ? (
            `${bolivianosUnit()} —`
          ) : (
            <Skeleton component="span" display="inline-block" height="0.8em" width="5em" />
          )}
        </div>
      </div>
      <Divider />
      <DataList values="end">
        {asked !== 'pay' && line(paidLabel, (f) => formatAmount(f.amount, f.currency), 'amount')}
        {line(feeLabel, (f) => formatAmount(f.fee, f.currency), 'fee')}
        {line(t`Monto que se cambia`, (f) => formatAmount(f.netAmount, f.currency), 'net')}
        {!asked && line(t`Tasa`, (f) => formatRateLine(f.rate, f.currency), 'rate')}
        {figures?.markupPercent && line(t`Frente al mercado`, () => toMarket(figures.markupPercent ?? ''), 'market')}
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

import { Divider, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatAmount, formatBolivianos, formatRateLine } from '#core/format';
import type { SendCurrency } from '#core/money';
import classes from './breakdown.module.css';

/** The figures of a quote or a transfer, as the wire has them. */
export interface Figures {
  readonly currency: SendCurrency;
  readonly amount: string;
  readonly fee: string;
  readonly netAmount: string;
  readonly bs: string;
  readonly rate: string;
}

/**
 * Where money stands, everywhere the same: what arrives first and biggest, then what is paid, fee, net and rate in one
 * aligned column. Without figures it keeps its shape while they are on their way.
 */
export function Breakdown({
  figures,
  paidLabel = 'Pagas con tu tarjeta',
  arrivesLabel = 'Llega a Bolivia',
  off = false,
  blank = false,
  asked = false,
  testid = 'breakdown',
  children,
}: {
  /** Null while they are on their way. */
  figures: Figures | null;
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
    <div className={classes.line}>
      <Text component="dt" c="dimmed">
        {label}
      </Text>
      <Text component="dd" className="cq-num" fw={500} data-testid={`${testid}-${name}`}>
        {figures ? (
          value(figures)
        ) : blank ? (
          '—'
        ) : (
          <Skeleton component="span" display="inline-block" height={14} width={88} />
        )}
      </Text>
    </div>
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
            formatBolivianos(figures.bs)
          ) : blank ? (
            'Bs —'
          ) : (
            <Skeleton component="span" display="inline-block" height="0.8em" width="5em" />
          )}
        </div>
      </div>
      <Divider />
      <dl className={classes.lines}>
        {!asked && line(paidLabel, (f) => formatAmount(f.amount, f.currency), 'amount')}
        {line('Comisión', (f) => formatAmount(f.fee, f.currency), 'fee')}
        {line('Monto que se cambia', (f) => formatAmount(f.netAmount, f.currency), 'net')}
        {!asked && line('Tasa', (f) => formatRateLine(f.rate, f.currency), 'rate')}
        {children}
      </dl>
    </Stack>
  );
}

/** One more line in the same column. */
export function BreakdownLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.line}>
      <Text component="dt" c="dimmed">
        {label}
      </Text>
      <Text component="dd" className="cq-num" fw={500}>
        {children}
      </Text>
    </div>
  );
}

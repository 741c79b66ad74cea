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
  children,
}: {
  figures: Figures | null;
  /** How the paid amount is called when it is not the reader who pays. */
  paidLabel?: string;
  arrivesLabel?: string;
  /** The transfer did not happen: its figures stay readable, but nothing of it shines. */
  off?: boolean;
  children?: ReactNode;
}) {
  const line = (label: string, value: (figures: Figures) => string) => (
    <div className={classes.line}>
      <Text component="dt" c="dimmed">
        {label}
      </Text>
      <Text component="dd" className="cq-num" fw={500}>
        {figures ? value(figures) : <Skeleton component="span" display="inline-block" height={14} width={88} />}
      </Text>
    </div>
  );
  return (
    <Stack gap="sm" aria-busy={!figures}>
      <div>
        <Text c="dimmed">{arrivesLabel}</Text>
        <div className={`${classes.arrives} cq-big cq-num`} data-off={off || undefined} data-testid="breakdown-bs">
          {figures ? formatBolivianos(figures.bs) : <Skeleton height={34} my={5} width={190} />}
        </div>
      </div>
      <Divider />
      <dl className={classes.lines}>
        {line(paidLabel, (f) => formatAmount(f.amount, f.currency))}
        {line('Comisión', (f) => formatAmount(f.fee, f.currency))}
        {line('Monto que se cambia', (f) => formatAmount(f.netAmount, f.currency))}
        {line('Tasa', (f) => formatRateLine(f.rate, f.currency))}
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

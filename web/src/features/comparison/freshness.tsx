import { Text } from '@mantine/core';
import { IconBroadcast, IconClockHour4, IconInfoCircle, IconShieldCheck } from '@tabler/icons-react';
import type { ComparisonRow } from '#core/contracts/http/comparison';
import classes from './comparison.module.css';
import { freshnessLabel } from './comparison-messages.ts';

const variants = {
  live: { Icon: IconBroadcast, color: 'var(--cq-good)' },
  older: { Icon: IconClockHour4, color: 'var(--cq-wait)' },
  reference: { Icon: IconInfoCircle, color: 'var(--mantine-color-dimmed)' },
} as const;

/** How far a figure can be trusted: icon, label and age, and below how it was collected. */
export function Freshness(props: {
  row: Pick<ComparisonRow, 'freshness' | 'collectedAt'> & { readonly id?: ComparisonRow['id'] };
  method?: string;
  now: number;
}) {
  const { row, method, now } = props;
  const { label, age } = freshnessLabel(row, now);
  const look = variants[row.freshness];
  const Icon = row.id === 'chasqui' ? IconShieldCheck : look.Icon;
  return (
    <span className={classes.freshness}>
      <Icon size={16} stroke={1.8} color={look.color} aria-hidden />
      <span>
        <Text component="span" fz="sm" display="block" c={look.color} fw={row.freshness === 'reference' ? 400 : 600}>
          {label}
          {age && ` · ${age.replace(/ (?=h$|min$|d$)/, '\u00a0')}`}
        </Text>
        {method && row.id !== 'chasqui' && row.freshness !== 'reference' && (
          <Text component="span" fz="sm" display="block" c="dimmed">
            {method}
          </Text>
        )}
      </span>
    </span>
  );
}

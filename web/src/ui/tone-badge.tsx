import { Badge, type BadgeProps } from '@mantine/core';
import type { IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What a colour says; never alone, always with a word. */
export type Tone = 'good' | 'wait' | 'bad' | 'quiet';

interface Props extends Pick<BadgeProps, 'size' | 'className'> {
  tone: Tone;
  Icon?: typeof IconClock;
  /** It changes before people's eyes: said aloud. */
  role?: 'status';
  'data-status'?: string;
  children: ReactNode;
}

/** A word on a patch of its tone, with an icon where there is one. */
export function ToneBadge({ tone, Icon, ...props }: Props) {
  return (
    <Badge
      size="lg"
      radius="sm"
      fw={600}
      leftSection={Icon && <Icon size={16} stroke={2} aria-hidden />}
      styles={{
        root: { background: `var(--cq-${tone}-soft)`, color: `var(--cq-${tone})`, flex: 'none', overflow: 'visible' },
        label: { overflow: 'visible' },
      }}
      {...props}
    />
  );
}

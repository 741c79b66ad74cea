import { t } from '@lingui/core/macro';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './states.module.css';

/** What a list shows when it is empty: one message and the next action. Every page loads it, and Mantine's own component is larger. */
export function EmptyState({ icon, children, action }: { icon: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="lg" ta="center">
      <div className={classes.icon}>{icon}</div>
      <Text component="div" fw={600} lh={1.3} c="bright">
        {children}
      </Text>
      {action && (
        <Group gap="sm" justify="center">
          {action}
        </Group>
      )}
    </Stack>
  );
}

const row = { paddingInline: 14, border: '1px solid var(--cq-line)', borderRadius: 'var(--mantine-radius-md)' };

/** Rows of a list that is on its way, in the height and shape of the real ones: two lines of text, a figure at the end. */
export function LoadingRows({ rows, height }: { rows: number; height: number }) {
  return (
    <Stack gap="sm" aria-busy="true" role="status" aria-label={t`Cargando`}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <Group key={index} h={height} style={row} wrap="nowrap" justify="space-between">
          <Stack gap={8} flex={1}>
            <Skeleton height={14} width="45%" />
            {height >= 48 && <Skeleton height={10} width="28%" />}
          </Stack>
          <Skeleton height={16} width={88} />
        </Group>
      ))}
    </Stack>
  );
}

/** Figures of what was asked before, under a moving line while those of what is asked now are on their way. */
export function Updating({ when, children }: { when: boolean; children: ReactNode }) {
  return (
    <div className={when ? classes.updating : undefined} aria-busy={when}>
      {children}
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { Group, EmptyState as MantineEmptyState, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './states.module.css';

/** What a list shows when it is empty: one message and the next action. */
export function EmptyState({ icon, children, action }: { icon: ReactNode; children: ReactNode; action?: ReactNode }) {
  return (
    <MantineEmptyState icon={icon} title={children} size="sm" py="lg">
      {action && <MantineEmptyState.Actions>{action}</MantineEmptyState.Actions>}
    </MantineEmptyState>
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

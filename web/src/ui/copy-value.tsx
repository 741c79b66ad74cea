import { t } from '@lingui/core/macro';
import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** A value with a button that copies it, as for a bank's own forms. Nothing to copy, nothing to press. */
export function CopyValue({
  label,
  value,
  testid = 'copy',
  children,
}: {
  label: string;
  value: string;
  testid?: string;
  children?: ReactNode;
}) {
  if (!value) return <>—</>;
  return (
    <Group gap={4} wrap="nowrap" justify="space-between">
      <span style={{ overflowWrap: 'anywhere' }}>{children ?? value}</span>
      <CopyButton value={value} timeout={2000}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? t`Copiado` : t`Copiar`}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'green' : 'gray'}
              c={copied ? undefined : 'dimmed'}
              size={32}
              onClick={copy}
              aria-label={copied ? t`${label} copiado` : t`Copiar ${label}`}
              data-testid={testid}
            >
              {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}

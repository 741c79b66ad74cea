import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { IconLock, IconUserOff } from '@tabler/icons-react';
import type { AdminUserView } from '#core/contracts/http/admin-users';
import { ToneBadge } from '../../../ui/tone-badge.tsx';

/** A person's role, and whether their account is closed or blocked. */
export function UserBadges({ user: { role, closedAt, blockedAt } }: { user: AdminUserView }) {
  return (
    <Group gap={4}>
      <ToneBadge tone={role === 'admin' ? 'good' : 'quiet'}>{role === 'admin' ? t`Admin` : t`Usuario`}</ToneBadge>
      {closedAt && (
        <ToneBadge tone="quiet" Icon={IconUserOff}>
          {t`Cerrada`}
        </ToneBadge>
      )}
      {blockedAt && (
        <ToneBadge tone="bad" Icon={IconLock}>
          {t`Bloqueada`}
        </ToneBadge>
      )}
    </Group>
  );
}

import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Group, Text } from '@mantine/core';
import { IconLock, IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { AdminUserDetail, AdminUserView } from '#core/contracts/http/admin-users';
import { userQuery } from '../../../data/admin-users.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { roleLabels } from '../permitted.tsx';

/** A person's role, and whether their account is closed or blocked. */
export function UserBadges({ user: { adminRole, closedAt, blockedAt } }: { user: AdminUserView }) {
  return (
    <Group gap={4}>
      <ToneBadge tone={adminRole ? 'good' : 'quiet'}>
        {adminRole ? i18n._(roleLabels[adminRole]) : t`Usuario`}
      </ToneBadge>
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

/** That an account is blocked, since when and why. */
export function Barred({ user: { blockedAt, blocks } }: { user: AdminUserDetail }) {
  if (!blockedAt) return null;
  const [last] = blocks;
  const since = laPazTime(blockedAt);
  return (
    <Alert
      color="red"
      icon={<IconLock aria-hidden />}
      data-testid="account-barred"
      title={t`Cuenta bloqueada desde el ${since}`}
    >
      <Trans>No puede entrar ni pagar. Lo que está en curso sigue.</Trans>
      {last && <Text fz="sm">{last.reason}</Text>}
    </Alert>
  );
}

/** The same, shown next to one of that person's transfers. */
export function SenderBarred({ userId }: { userId: string }) {
  return (
    <QueryView query={useQuery(userQuery(userId))} loading={null}>
      {(user) => <Barred user={user} />}
    </QueryView>
  );
}

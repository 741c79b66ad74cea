import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { useBlockUser } from '../../../data/admin-users.ts';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Section } from '../admin-drawer.tsx';
import { Permitted } from '../permitted.tsx';
import { ReasonForm } from './reason-form.tsx';

/** Who blocked the account, when and why, and what can be done now. */
export function UserBlock({ user }: { user: AdminUserDetail }) {
  return (
    <Section title={t`Bloqueo`}>
      <Stack gap="sm">
        {user.blocks.length === 0 && (
          <Text c="dimmed">
            <Trans>Nadie bloqueó esta cuenta.</Trans>
          </Text>
        )}
        {user.blocks.map(({ blocked, reason, by, at }) => (
          <div key={at} data-testid="user-block-entry">
            <Text fw={600}>{blocked ? t`Bloqueada` : t`Desbloqueada`}</Text>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{reason}</Text>
            <Text fz="sm" c="dimmed" className="cq-num">
              {by}, {formatLaPazMoment(at)}
            </Text>
          </div>
        ))}
        <WhatCanBeDone user={user} />
      </Stack>
    </Section>
  );
}

function WhatCanBeDone({ user }: { user: AdminUserDetail }) {
  if (user.role === 'admin')
    return (
      <Text fz="sm" c="dimmed" data-testid="user-block-admin">
        <Trans>Es una cuenta de administración: nadie del panel puede bloquearla, solo quien opera el servidor.</Trans>
      </Text>
    );
  if (user.closedAt)
    return (
      <Text fz="sm" c="dimmed">
        <Trans>La cuenta está cerrada: nadie puede entrar.</Trans>
      </Text>
    );
  return (
    <Permitted to="blockUser">
      <BlockForm key={String(user.blockedAt)} user={user} />
    </Permitted>
  );
}

function BlockForm({ user: { id, name, blockedAt } }: { user: AdminUserDetail }) {
  const isBlocked = blockedAt !== null;
  const block = useBlockUser(id, !isBlocked);
  return (
    <ReasonForm
      verb={isBlocked ? t`Desbloquear la cuenta` : t`Bloquear la cuenta`}
      Icon={isBlocked ? IconLockOpen : IconLock}
      about={
        isBlocked
          ? t`Podrá entrar y pagar otra vez. Queda anotado quién lo decidió.`
          : t`Se cierran sus sesiones y no podrá entrar ni pagar. Lo que está en curso sigue. Queda anotado quién lo decidió.`
      }
      danger={!isBlocked}
      call={block}
      onDone={() => toastDone(isBlocked ? t`Cuenta desbloqueada` : t`Cuenta bloqueada`, name)}
      testid="user-block"
    />
  );
}

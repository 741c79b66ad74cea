import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { useBlockUser } from '../../../data/admin-users.ts';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Section } from '../admin-drawer.tsx';

const reasonMax = 500;

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
  return <BlockForm key={String(user.blockedAt)} user={user} />;
}

/** Asks for a reason before anything happens, and says what will. */
function BlockForm({ user: { id, name, blockedAt } }: { user: AdminUserDetail }) {
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const block = useBlockUser(id);
  const isBlocked = blockedAt !== null;
  const Icon = isBlocked ? IconLockOpen : IconLock;
  const verb = isBlocked ? t`Desbloquear la cuenta` : t`Bloquear la cuenta`;
  if (!opened)
    return (
      <Button
        variant="default"
        leftSection={<Icon size={18} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => setOpened(true)}
        data-testid="user-block-open"
      >
        {verb}
      </Button>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (reason.trim() === '' || block.isPending) return;
    const input = { blocked: !isBlocked, reason: reason.trim() };
    block.mutate(input, { onSuccess: () => toastDone(isBlocked ? t`Cuenta desbloqueada` : t`Cuenta bloqueada`, name) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text fz="sm">
          {isBlocked
            ? t`Podrá entrar y pagar otra vez. Queda anotado quién lo decidió.`
            : t`Se cierran sus sesiones y no podrá entrar ni pagar. Lo que está en curso sigue. Queda anotado quién lo decidió.`}
        </Text>
        <Textarea
          label={t`Motivo`}
          description={t`La ven las demás personas de administración; quien envía, no.`}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={reasonMax}
          autosize
          minRows={2}
          autoFocus
          error={(asked && reason.trim() === '' && t`Escribe el motivo`) || (block.error && errorMessage(block.error))}
          disabled={block.isPending}
          data-testid="user-block-reason"
        />
        <Group gap="sm">
          <Button
            type="submit"
            {...(!isBlocked && { color: 'red' })}
            loading={block.isPending}
            data-testid="user-block-confirm"
          >
            {verb}
          </Button>
          <Button variant="default" onClick={() => setOpened(false)} disabled={block.isPending}>
            <Trans>Cancelar</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconLock, IconLockOpen, IconShieldOff } from '@tabler/icons-react';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { useBlockUser, useHoldUser, useResetSecondFactor } from '../../../data/admin-users.ts';
import { useSession } from '../../../data/session.ts';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Section } from '../admin-drawer.tsx';
import { Permitted } from '../permitted.tsx';
import { ReasonForm } from '../reason-form.tsx';

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

/** Who had the data of a person kept for a legal reason, when and why, and what can be done now. Only for who may do it. */
export function UserHold({ user, holds }: { user: AdminUserDetail; holds: NonNullable<AdminUserDetail['holds']> }) {
  const { data: session } = useSession();
  return (
    <Section title={t`Retención legal`}>
      <Stack gap="sm">
        {holds.length === 0 && (
          <Text c="dimmed">
            <Trans>Nadie pidió retener sus datos.</Trans>
          </Text>
        )}
        {holds.map(({ held, reason, by, at }) => (
          <div key={at} data-testid="user-hold-entry">
            <Text fw={600}>{held ? t`Datos retenidos` : t`Retención terminada`}</Text>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{reason}</Text>
            <Text fz="sm" c="dimmed" className="cq-num">
              {by}, {formatLaPazMoment(at)}
            </Text>
          </div>
        ))}
        {session?.user.id !== user.id && (
          <HoldForm key={holds[0]?.at ?? ''} user={user} isHeld={holds[0]?.held ?? false} />
        )}
      </Stack>
    </Section>
  );
}

function HoldForm({ user: { id, name }, isHeld }: { user: AdminUserDetail; isHeld: boolean }) {
  return (
    <ReasonForm
      verb={isHeld ? t`Terminar la retención` : t`Retener sus datos`}
      Icon={isHeld ? IconArchiveOff : IconArchive}
      about={
        isHeld
          ? t`Sus datos vuelven a borrarse en sus plazos; si cerró su cuenta, lo que quedó se borra esta noche.`
          : t`Nada suyo se borra hasta que termine la retención, aunque cierre su cuenta. No se le avisa y puede seguir usando su cuenta.`
      }
      readers={t`Lo ve solo quien tiene el rol de dueño; la persona, no.`}
      danger={false}
      call={useHoldUser(id, !isHeld)}
      onDone={() => toastDone(isHeld ? t`Retención terminada` : t`Datos retenidos`, name)}
      testid="user-hold"
    />
  );
}

/** Whether a person signs in in two steps, and the way back in for who lost phone and codes. */
export function UserSecondFactor({ user }: { user: AdminUserDetail }) {
  const { data: session } = useSession();
  const reset = useResetSecondFactor(user.id);
  const since = user.secondFactorSince && formatLaPazMoment(user.secondFactorSince);
  return (
    <Section title={t`Verificación en dos pasos`}>
      <Stack gap="sm">
        <Text c={since ? undefined : 'dimmed'} data-testid="user-factor">
          {since ? <Trans>Activada desde el {since}</Trans> : <Trans>No la tiene.</Trans>}
        </Text>
        {since && session?.user.id !== user.id && (
          <Permitted to="resetSecondFactor">
            <ReasonForm
              verb={t`Quitar la verificación en dos pasos`}
              Icon={IconShieldOff}
              about={t`Solo si perdió su teléfono y sus códigos, y comprobaste que es quien dice ser. Se cierran sus sesiones, entrará con su contraseña y le avisamos por correo. El motivo queda en las notas.`}
              danger
              call={reset}
              onDone={() => toastDone(t`Verificación en dos pasos quitada`, user.name)}
              testid="user-factor-reset"
            />
          </Permitted>
        )}
      </Stack>
    </Section>
  );
}

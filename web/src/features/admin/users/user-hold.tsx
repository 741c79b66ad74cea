import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { IconArchive, IconArchiveOff } from '@tabler/icons-react';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { useHoldUser } from '../../../data/admin-users.ts';
import { useSession } from '../../../data/session.ts';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Section } from '../admin-drawer.tsx';
import { ReasonForm } from './reason-form.tsx';

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

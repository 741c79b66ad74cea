import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import { useResetSecondFactor } from '../../../data/admin-users.ts';
import { useSession } from '../../../data/session.ts';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Section } from '../admin-drawer.tsx';
import { Permitted } from '../permitted.tsx';
import { ReasonForm } from './reason-form.tsx';

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

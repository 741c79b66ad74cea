import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { IconClockHour4 } from '@tabler/icons-react';
import { useSessionEnd } from '../../data/query-client.ts';

/** Why a person who did not sign out has to sign in again. */
export default function SessionEnded() {
  const idle = useSessionEnd((end) => end.idle);
  return (
    <Alert color="yellow" mb="md" icon={<IconClockHour4 aria-hidden />} title={t`Tu sesión terminó`} role="status">
      {idle ? (
        <Trans>
          La cerramos por seguridad porque nadie la usó durante un rato. Inicia sesión otra vez para continuar donde
          estabas.
        </Trans>
      ) : (
        <Trans>Inicia sesión otra vez para continuar donde estabas.</Trans>
      )}
    </Alert>
  );
}

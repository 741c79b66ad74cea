import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { IconFlask, IconRefresh } from '@tabler/icons-react';
import { useOptionalQuery } from '../../data/optional-query.ts';
import { paymentConfigQuery } from '../../data/payments.ts';
import { useNewVersion, useOpenPayment } from '../../lib/document.ts';
import classes from './shell.module.css';

/** Says so where no card is really charged. */
export function TestModeBanner() {
  const data = useOptionalQuery(paymentConfigQuery);
  if (!data || data.mode === 'live') return null;
  return (
    <aside className={`${classes.banner} cq-screen`} aria-label={t`Modo de prueba`} data-testid="test-mode">
      <IconFlask size={16} aria-hidden />
      <Text component="span" fz="sm" fw={600}>
        <Trans>Modo de prueba: no se cobra ninguna tarjeta</Trans>
      </Text>
    </aside>
  );
}

/** Offers to load a page again whose build the server has replaced; never while a payment is under way. */
export function NewVersion() {
  const { available } = useNewVersion();
  const { held } = useOpenPayment();
  if (!available || held) return null;
  return (
    <aside className={`${classes.banner} cq-screen`} aria-label={t`Versión nueva`} role="status">
      <Group gap="sm" justify="center">
        <Text component="span" fz="sm" fw={600}>
          <Trans>Hay una versión nueva de Chasqui.</Trans>
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => window.location.reload()}
        >
          <Trans>Recargar la página</Trans>
        </Button>
      </Group>
    </aside>
  );
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { paymentConfigQuery } from '../../data/payments.ts';
import classes from './test-mode-banner.module.css';

/** Says so where no card is really charged. */
export function TestModeBanner() {
  const { data } = useQuery(paymentConfigQuery);
  if (!data || data.mode === 'live') return null;
  return (
    <aside className={classes.banner} aria-label={t`Modo de prueba`} data-testid="test-mode">
      <IconFlask size={16} aria-hidden />
      <Text component="span" fz="sm" fw={600}>
        <Trans>Modo de prueba: no se cobra ninguna tarjeta</Trans>
      </Text>
    </aside>
  );
}

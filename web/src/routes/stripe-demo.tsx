import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import type { MetaFunction } from 'react-router';
import { DemoLinks } from '../features/payment-demos/demo-pages.tsx';
import { Simulator } from '../features/payment-demos/simulator.tsx';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Simulador de pago`) }];

/** A card form that only pretends. */
export default function StripeDemoPage() {
  return (
    <Page title={t`Simulador de pago`} lead={t`Una tarjeta de mentira para ver los pasos de un pago.`} size={1080}>
      <Alert color="sun" icon={<IconFlask aria-hidden />} title={t`Esto es un simulador`}>
        <Trans>No hace ninguna llamada, no cobra ni envía dinero. No escribas una tarjeta real.</Trans>
      </Alert>
      <Simulator />
      <DemoLinks here={paths.stripeDemo} />
    </Page>
  );
}

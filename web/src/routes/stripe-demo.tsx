import { Alert } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import type { MetaFunction } from 'react-router';
import { DemoLinks } from '../features/payment-demos/demo-pages.tsx';
import { Simulator } from '../features/payment-demos/simulator.tsx';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle('Simulador de pago') }];

/** A card form that only pretends. */
export default function StripeDemoPage() {
  return (
    <Page title="Simulador de pago" lead="Una tarjeta de mentira para ver los pasos de un pago." size={1080}>
      <Alert color="sun" icon={<IconFlask aria-hidden />} title="Esto es un simulador">
        No hace ninguna llamada, no cobra ni envía dinero. No escribas una tarjeta real.
      </Alert>
      <Simulator />
      <DemoLinks here={paths.stripeDemo} />
    </Page>
  );
}

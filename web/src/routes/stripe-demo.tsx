import { Alert } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { DemoLinks } from '../features/payment/demo-links.tsx';
import { Simulator } from '../features/payment/simulator.tsx';
import { paths } from '../lib/paths.ts';
import { Page } from '../ui/page.tsx';
import { SandboxOnly } from './sandbox-only.tsx';

/** A card form that only pretends. */
export function Component() {
  return (
    <SandboxOnly>
      <Page title="Simulador de pago" lead="Una tarjeta de mentira para ver los pasos de un pago." size={1080}>
        <Alert color="sun" icon={<IconFlask aria-hidden />} title="Esto es un simulador">
          No hace ninguna llamada, no cobra ni envía dinero. No escribas una tarjeta real.
        </Alert>
        <Simulator />
        <DemoLinks here={paths.stripeDemo} />
      </Page>
    </SandboxOnly>
  );
}

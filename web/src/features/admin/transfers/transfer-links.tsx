import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Group } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import { apiDocsAddress, queueBoardAddress } from '#core/contracts/page-addresses';
import { useOptionalQuery } from '../../../data/optional-query.ts';
import { paymentConfigQuery } from '../../../data/payments.ts';
import type { CallOutput } from '../../../lib/http.ts';
import { Section } from '../admin-drawer.tsx';
import { useMay } from '../permitted.tsx';

/** Where else a transfer can be looked at: at Stripe or its simulator, in the queues, and what programs can do. */
export function TransferLinks({ transfer }: { transfer: AdminTransferView }) {
  const config = useOptionalQuery(paymentConfigQuery);
  const may = useMay();
  const payment = config && transfer.payment_id ? paymentAddress(config, transfer.payment_id) : null;
  return (
    <Section title={t`Más sobre esta transferencia`}>
      <Group gap="md" data-testid="transfer-links">
        {payment && (
          <Tool to={payment}>
            {config?.mode === 'sandbox' ? <Trans>Pago en el simulador</Trans> : <Trans>Pago en Stripe</Trans>}
          </Tool>
        )}
        {may('queueBoard') && (
          <Tool to={queueBoardAddress}>
            <Trans>Colas de trabajo</Trans>
          </Tool>
        )}
        <Tool to={apiDocsAddress}>
          <Trans>Documentación de la API</Trans>
        </Tool>
      </Group>
    </Section>
  );
}

function Tool({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <Anchor href={to} target="_blank" rel="noreferrer" underline="always">
      <Group gap={4} wrap="nowrap" component="span">
        {children}
        <IconExternalLink size={16} aria-hidden />
        <span className="cq-hidden">
          {' '}
          <Trans>(otra pestaña)</Trans>
        </span>
      </Group>
    </Anchor>
  );
}

/** The payment's page: in Stripe's dashboard by mode, or the simulator's, which is where its script comes from. */
export function paymentAddress({ mode, scriptUrl }: CallOutput<'paymentConfig'>, paymentId: string): string | null {
  if (mode === 'sandbox') return scriptUrl && new URL('/stripe.html', scriptUrl).href;
  return `https://dashboard.stripe.com/${mode === 'test' ? 'test/' : ''}payments/${encodeURIComponent(paymentId)}`;
}

import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { cryptoConfigQuery } from '../../data/crypto-orders.ts';
import { useSession } from '../../data/session.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './crypto.module.css';
import { DetailsForm } from './details-form.tsx';
import { Order } from './order.tsx';
import { OrderList } from './order-list.tsx';
import { usePurchase } from './use-purchase.ts';

/** Details, then the provider's card form, then the delivered USDC; beside it what a buyer has to know. */
export function CryptoPurchase() {
  const config = useQuery(cryptoConfigQuery);
  const session = useSession();
  const purchase = usePurchase(config.data);
  const { step } = purchase;
  return (
    <div className={classes.columns}>
      <Card component="section" aria-label="Compra de USDC" data-testid="crypto-card" data-step={step.name}>
        {step.name === 'failed' && <Failed message={step.message} />}
        {step.name === 'order' && <Order key={step.orderId} {...step} onAgain={purchase.again} />}
        {(step.name === 'details' || step.name === 'preparing') && (
          <QueryView query={config} loading={<LoadingRows rows={4} height={52} />}>
            {(data) => (
              <DetailsForm
                config={data}
                amount={purchase.amount}
                onAmount={purchase.setAmount}
                busy={step.name === 'preparing'}
                refusal={step.name === 'details' ? step.refusal : null}
                signedIn={Boolean(session.data)}
                onContinue={purchase.start}
              />
            )}
          </QueryView>
        )}
      </Card>
      <Stack gap="lg">
        <Alert icon={<IconInfoCircle aria-hidden />} color="yellow" title="Antes de comprar">
          <ul className={classes.notes}>
            <li>Esto no es un envío de dinero a Bolivia: nadie recibe bolivianos.</li>
            <li>Lo que vale una criptomoneda puede cambiar.</li>
            <li>Una compra entregada no se puede deshacer ni devolver.</li>
            <li>La compra y la entrega las hace Stripe, que suma sus comisiones antes de cobrar.</li>
          </ul>
        </Alert>
        {session.data && <OrderList />}
      </Stack>
    </div>
  );
}

/** The purchase could not be opened. The provider's library remembers a failed load, so trying again loads the page anew. */
function Failed({ message }: { message: string }) {
  return (
    <Stack data-testid="crypto-failed">
      <Title order={2}>No pudimos abrir tu compra</Title>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {message}
      </Alert>
      <Text c="dimmed">No se cobró nada.</Text>
      <Group>
        <Button
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={() => window.location.reload()}
          data-testid="crypto-retry"
        >
          Reintentar
        </Button>
      </Group>
    </Stack>
  );
}

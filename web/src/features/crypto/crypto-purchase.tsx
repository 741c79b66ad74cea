import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconLock, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { CryptoConfig } from '#core/contracts/http/crypto';
import { parseMinor } from '#core/money/money';
import { cryptoConfigQuery } from '../../data/crypto-orders.ts';
import { useSession } from '../../data/session.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { cryptoAmountOutOfRange } from '../../lib/limit-messages.ts';
import { CopyValue } from '../../ui/copy-value.tsx';
import { DataItem, DataList } from '../../ui/data-list.tsx';
import { AmountInput } from '../../ui/decimal-input.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import classes from './crypto.module.css';
import { Order, OrderList } from './order.tsx';
import { networkName, usePurchase } from './use-purchase.ts';

/** Details, then the provider's card form, then the delivered USDC; beside it what a buyer has to know. */
export function CryptoPurchase() {
  const config = useQuery(cryptoConfigQuery);
  const session = useSession();
  const purchase = usePurchase(config.data);
  const { step } = purchase;
  return (
    <div className={classes.columns}>
      <Card component="section" aria-label={t`Compra de USDC`} data-testid="crypto-card" data-step={step.name}>
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
        <Alert icon={<IconInfoCircle aria-hidden />} color="yellow" title={t`Antes de comprar`}>
          <ul className={classes.notes}>
            <li>
              <Trans>Esto no es un envío de dinero a Bolivia: nadie recibe bolivianos.</Trans>
            </li>
            <li>
              <Trans>Lo que vale una criptomoneda puede cambiar.</Trans>
            </li>
            <li>
              <Trans>Una compra entregada no se puede deshacer ni devolver.</Trans>
            </li>
            <li>
              <Trans>La compra y la entrega las hace Stripe, que suma sus comisiones antes de cobrar.</Trans>
            </li>
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
      <Title order={2}>
        <Trans>No pudimos abrir tu compra</Trans>
      </Title>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {message}
      </Alert>
      <Text c="dimmed">
        <Trans>No se cobró nada.</Trans>
      </Text>
      <Group>
        <Button
          leftSection={<IconRefresh size={18} aria-hidden />}
          onClick={() => window.location.reload()}
          data-testid="crypto-retry"
        >
          <Trans>Reintentar</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

interface Props {
  config: CryptoConfig;
  amount: string;
  onAmount: (amount: string) => void;
  busy: boolean;
  /** Why the server did not open the purchase. */
  refusal: string | null;
  signedIn: boolean;
  onContinue: () => void;
}

/** How much to buy. What is bought and where it goes is fixed and only shown. */
function DetailsForm({ config, amount, onAmount, busy, refusal, signedIn, onContinue }: Props) {
  const minor = parseMinor(amount);
  const least = parseMinor(config.minimum) ?? 0n;
  const most = parseMinor(config.maximum) ?? 0n;
  const fits = minor !== null && minor >= least && minor <= most;
  const problem = amount === '' || fits ? null : cryptoAmountOutOfRange(config);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fits && !busy && config.available) onContinue();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        <Title order={2}>
          <Trans>Tu compra</Trans>
        </Title>
        <AmountInput
          label={t`Monto en dólares (USD)`}
          value={amount}
          onChange={onAmount}
          error={problem}
          testid="crypto-amount"
        />
        <DataList values="end" divided>
          <DataItem label={t`Moneda`}>
            <span data-testid="crypto-coin">{config.destinationCurrency.toUpperCase()}</span>
          </DataItem>
          <DataItem label={t`Red`}>
            <span data-testid="crypto-network">{networkName(config.destinationNetwork)}</span>
          </DataItem>
          {config.walletAddress && (
            <DataItem label={t`Billetera de destino`} wide>
              <CopyValue label={t`billetera`} value={config.walletAddress} testid="crypto-copy">
                <span data-testid="crypto-wallet">{config.walletAddress}</span>
              </CopyValue>
            </DataItem>
          )}
        </DataList>
        {(refusal ?? !config.available) && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" data-testid="crypto-refusal">
            {refusal ?? failureMessages.crypto_unavailable}
          </Alert>
        )}
        <div>
          <Button
            type="submit"
            size="lg"
            fullWidth
            disabled={!fits || !config.available}
            loading={busy}
            data-testid="crypto-continue"
          >
            <Trans>Continuar</Trans>
          </Button>
          <Text c="dimmed" fz="sm" mt="xs" ta="center">
            <IconLock size={15} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
            {signedIn ? (
              <Trans>Los datos de tu tarjeta van directamente a Stripe</Trans>
            ) : (
              <Trans>Para continuar te pediremos iniciar sesión; volverás a este monto</Trans>
            )}
          </Text>
        </div>
      </Stack>
    </form>
  );
}

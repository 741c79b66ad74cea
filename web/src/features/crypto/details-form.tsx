import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import type { CryptoConfig } from '#core/contracts/http/crypto';
import { parseMinor } from '#core/money/money';
import { failureMessages } from '../../lib/failure-messages.ts';
import { AmountInput } from '../../ui/amount-input.tsx';
import { CopyValue } from '../../ui/copy-value.tsx';
import { networkName } from './crypto-labels.ts';
import { Fact, Facts } from './facts.tsx';

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
export function DetailsForm({ config, amount, onAmount, busy, refusal, signedIn, onContinue }: Props) {
  const minor = parseMinor(amount);
  const least = parseMinor(config.minimum) ?? 0n;
  const most = parseMinor(config.maximum) ?? 0n;
  const fits = minor !== null && minor >= least && minor <= most;
  const problem = amount === '' || fits ? null : failureMessages.crypto_amount_out_of_range;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fits && !busy && config.available) onContinue();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        <Title order={2}>Tu compra</Title>
        <AmountInput
          label="Monto en dólares (USD)"
          value={amount}
          onChange={onAmount}
          error={problem}
          testid="crypto-amount"
        />
        <Facts>
          <Fact label="Moneda">
            <span data-testid="crypto-coin">{config.destinationCurrency.toUpperCase()}</span>
          </Fact>
          <Fact label="Red">
            <span data-testid="crypto-network">{networkName(config.destinationNetwork)}</span>
          </Fact>
          {config.walletAddress && (
            <Fact label="Billetera de destino" wide>
              <CopyValue label="billetera" value={config.walletAddress} testid="crypto-copy">
                <span data-testid="crypto-wallet">{config.walletAddress}</span>
              </CopyValue>
            </Fact>
          )}
        </Facts>
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
            Continuar
          </Button>
          <Text c="dimmed" fz="sm" mt="xs" ta="center">
            <IconLock size={15} aria-hidden style={{ verticalAlign: '-2px' }} />{' '}
            {signedIn
              ? 'Los datos de tu tarjeta van directamente a Stripe'
              : 'Para continuar te pediremos iniciar sesión; volverás a este monto'}
          </Text>
        </div>
      </Stack>
    </form>
  );
}

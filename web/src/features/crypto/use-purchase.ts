import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { StripeOnramp } from '@stripe/crypto';
import { loadStripeOnramp } from '@stripe/crypto/pure.js';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { CryptoConfig, CryptoOrderView } from '#core/contracts/http/crypto';
import type { PaymentConfig } from '#core/contracts/http/payments';
import type { CryptoStatus } from '#core/crypto/crypto-order';
import { parseMinor } from '#core/money/money';
import { writeCryptoOrder } from '../../data/crypto-orders.ts';
import { paymentConfigQuery, withProvenEmail } from '../../data/payments.ts';
import { noticeEndOfSession } from '../../data/query-client.ts';
import { sessionQuery } from '../../data/session.ts';
import { failureMessages } from '../../lib/failure-messages.ts';
import { ApiFailure, type CallFailureCode } from '../../lib/http.ts';
import { loginLeadingTo, paths } from '../../lib/paths.ts';
import { insertScript } from '../../lib/provider-script.ts';
import { senderCall } from '../../lib/sender-http.ts';
import { newUuid } from '../../lib/uuid.ts';

/** The provider's form can be shown: its library and the secret of the purchase's session. */
export interface OpenSession {
  readonly onramp: StripeOnramp;
  readonly clientSecret: string;
}

/** Where the page stands. The purchase itself is the server's: see its status there. */
type PurchaseStep =
  | { name: 'details'; refusal: string | null }
  | { name: 'preparing' }
  | { name: 'failed'; message: string }
  /** `session` is null after a reload: the purchase is followed, but cannot be paid from here any more. */
  | { name: 'order'; orderId: string; session: OpenSession | null };

const noSecret = 'no client secret';
const amountDefault = '100';

/** Trying again cannot help: something has to change first. */
const refusals: ReadonlySet<CallFailureCode> = new Set([
  'invalid_input',
  'crypto_amount_out_of_range',
  'crypto_destination_refused',
  'crypto_unavailable',
  'email_unproven',
]);

/**
 * One purchase from the amount to its order. The address keeps the amount, and later the order, so that signing in or
 * loading the page again leads back to the same place.
 */
export function usePurchase(config: CryptoConfig | undefined) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const [amount, setAmount] = useState(() => amountFrom(search) ?? amountDefault);
  const [step, setStep] = useState<PurchaseStep>(() => firstStep(search));

  const start = useCallback(async () => {
    if (!config?.walletAddress) return;
    setSearch({ amount }, { replace: true });
    const signIn = () => void navigate(loginLeadingTo(`${paths.crypto}?${new URLSearchParams({ amount })}`));
    setStep({ name: 'preparing' });
    try {
      const person = await queryClient.ensureQueryData(sessionQuery);
      if (!person) return signIn();
      const opened = await open(queryClient, config, amount);
      setStep(opened);
      setSearch({ compra: opened.orderId }, { replace: true });
    } catch (error) {
      noticeEndOfSession(error);
      if (error instanceof ApiFailure && error.code === 'unauthenticated') return signIn();
      setStep(stepAfter(error));
    }
  }, [amount, config, navigate, queryClient, setSearch]);

  const again = useCallback(() => {
    setStep({ name: 'details', refusal: null });
    setSearch({ amount }, { replace: true });
  }, [amount, setSearch]);
  return { amount, setAmount, step, start, again };
}

/** Opens the purchase at the server and loads the provider's form meanwhile. */
async function open(queryClient: QueryClient, config: CryptoConfig, amount: string) {
  // Made before the calls: one that is made again is the same purchase.
  const headers = { 'idempotency-key': newUuid() };
  const [onramp, { clientSecret, orderId, order }] = await Promise.all([
    queryClient.ensureQueryData(paymentConfigQuery).then(loadOnramp),
    withProvenEmail(() =>
      senderCall('createOnrampSession', {
        headers,
        body: {
          amount,
          currency: config.currency,
          destinationCurrency: config.destinationCurrency,
          destinationNetwork: config.destinationNetwork,
          walletAddress: config.walletAddress ?? '',
        },
      }),
    ),
  ]);
  if (!clientSecret) throw new Error(noSecret);
  writeCryptoOrder(queryClient, order);
  return { name: 'order' as const, orderId, session: { onramp, clientSecret } };
}

function stepAfter(error: unknown): PurchaseStep {
  if (error instanceof ApiFailure && refusals.has(error.code)) return { name: 'details', refusal: error.userMessage };
  const withoutSecret = error instanceof Error && error.message === noSecret;
  return {
    name: 'failed',
    message: withoutSecret ? t`No se recibió el clientSecret` : failureMessages.onramp_not_started,
  };
}

function firstStep(search: URLSearchParams): PurchaseStep {
  const orderId = search.get('compra');
  return orderId ? { name: 'order', orderId, session: null } : { name: 'details', refusal: null };
}

function amountFrom(search: URLSearchParams): string | null {
  const amount = search.get('amount');
  return amount !== null && parseMinor(amount) !== null ? amount : null;
}

// Never the bare package: importing it would load Stripe's script at once, before we could say otherwise.

/**
 * Stripe's onramp in the browser. @throws Error when its script does not come. The package remembers a failed load for as
 * long as the page lives, hence trying again means loading the page again.
 */
async function loadOnramp({ scriptUrl, publishableKey }: PaymentConfig): Promise<StripeOnramp> {
  if (scriptUrl && !('StripeOnramp' in window)) await insertScript(scriptUrl);
  const onramp = await loadStripeOnramp(publishableKey);
  if (!onramp) throw new Error('The onramp is not available');
  return onramp;
}

/** How a status reads, and in which of the theme's tones. */
export const statusVariants: Readonly<
  Record<CryptoStatus, { label: MessageDescriptor; tone: 'good' | 'wait' | 'bad' | 'quiet' }>
> = {
  created: { label: msg`Sin pagar`, tone: 'quiet' },
  initialized: { label: msg`Sin pagar`, tone: 'quiet' },
  requires_payment: { label: msg`Sin pagar`, tone: 'quiet' },
  fulfillment_processing: { label: msg`En proceso`, tone: 'wait' },
  fulfillment_complete: { label: msg`Entregada`, tone: 'good' },
  rejected: { label: msg`Rechazada`, tone: 'bad' },
};

/** What is happening now, said aloud when it changes. */
export const statusMessages: Readonly<Record<CryptoStatus, MessageDescriptor>> = {
  created: msg`Abriendo la compra...`,
  initialized: msg`Escribe los datos de tu tarjeta para pagar.`,
  requires_payment: msg`Escribe los datos de tu tarjeta para pagar.`,
  fulfillment_processing: msg`Recibimos tu pago. Los USDC van en camino a la billetera.`,
  fulfillment_complete: msg`Los USDC llegaron a la billetera.`,
  rejected: msg`El proveedor rechazó esta compra y no entregó USDC.`,
};

/** How many of the three steps (pay, process, deliver) are behind or under way, counted from 0. */
export function stepOf(status: CryptoStatus): number {
  if (status === 'fulfillment_complete') return 2;
  return status === 'fulfillment_processing' ? 1 : 0;
}

/** The provider's identifier of a network as a name: "solana" becomes "Solana". */
export const networkName = (network: string) => network.charAt(0).toUpperCase() + network.slice(1).replaceAll('_', ' ');

/** What was paid for the USDC: as the provider reports it, until then the ordered amount. */
export const amountOf = ({ paidAmount, amount }: CryptoOrderView) => paidAmount ?? amount;

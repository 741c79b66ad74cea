import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { CryptoOrderView } from '#core/contracts/http/crypto';
import type { CryptoStatus } from '#core/crypto/crypto-order';

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

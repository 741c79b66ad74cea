import type { CryptoOrderView } from '#core/contracts/http/crypto';
import type { CryptoStatus } from '#core/crypto/crypto-order';

/** How a status reads, and in which of the theme's tones. */
export const statusLooks: Readonly<Record<CryptoStatus, { word: string; tone: 'good' | 'wait' | 'bad' | 'quiet' }>> = {
  created: { word: 'Sin pagar', tone: 'quiet' },
  initialized: { word: 'Sin pagar', tone: 'quiet' },
  requires_payment: { word: 'Sin pagar', tone: 'quiet' },
  fulfillment_processing: { word: 'En proceso', tone: 'wait' },
  fulfillment_complete: { word: 'Entregada', tone: 'good' },
  rejected: { word: 'Rechazada', tone: 'bad' },
};

/** What is happening now, said aloud when it changes. */
export const statusSentences: Readonly<Record<CryptoStatus, string>> = {
  created: 'Abriendo la compra...',
  initialized: 'Escribe los datos de tu tarjeta para pagar.',
  requires_payment: 'Escribe los datos de tu tarjeta para pagar.',
  fulfillment_processing: 'Recibimos tu pago. Los USDC van en camino a la billetera.',
  fulfillment_complete: 'Los USDC llegaron a la billetera.',
  rejected: 'El proveedor rechazó esta compra y no entregó USDC.',
};

/** How many of the three steps (pay, process, deliver) are behind or under way, counted from 0. */
export function stepOf(status: CryptoStatus): number {
  if (status === 'fulfillment_complete') return 2;
  return status === 'fulfillment_processing' ? 1 : 0;
}

/** The provider's word for a network as a name: "solana" becomes "Solana". */
export const networkName = (network: string) => network.charAt(0).toUpperCase() + network.slice(1).replaceAll('_', ' ');

/** What was spent on coins: the provider's word once it is known, until then what was asked for. */
export const amountOf = ({ paidAmount, amount }: CryptoOrderView) => paidAmount ?? amount;

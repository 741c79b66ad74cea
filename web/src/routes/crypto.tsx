import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { CryptoPurchase } from '../features/crypto/crypto-purchase.tsx';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Compra de Criptomonedas con Tarjeta`) }];

/** Buying USDC by card. Anybody may look; buying asks to sign in. */
export default function CryptoPage() {
  return (
    <Page
      title={t`Compra de Criptomonedas con Tarjeta`}
      lead={t`Compra USDC en la red Solana con tu tarjeta y sigue la entrega en vivo.`}
    >
      <CryptoPurchase />
    </Page>
  );
}

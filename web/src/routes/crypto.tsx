import { CryptoPurchase } from '../features/crypto/crypto-purchase.tsx';
import { Page } from '../ui/page.tsx';

/** Buying USDC by card. Anybody may look; buying asks to sign in. */
export function Component() {
  return (
    <Page
      title="Compra de Criptomonedas con Tarjeta"
      lead="Compra USDC en la red Solana con tu tarjeta y sigue la entrega en vivo."
    >
      <CryptoPurchase />
    </Page>
  );
}

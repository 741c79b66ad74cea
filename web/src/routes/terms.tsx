import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { LegalPage } from '../features/legal/legal-page.tsx';
import { publicMeta } from '../lib/public-meta.ts';

export const meta: MetaFunction = () =>
  publicMeta('terms', {
    title: t`Términos de Servicio`,
    description: t`Los términos con los que Chasqui recibe tu pago con tarjeta y entrega bolivianos a tu familia.`,
  });

/** `/terms`. */
export default function TermsPage() {
  return <LegalPage text="terms" />;
}

import { t } from '@lingui/core/macro';
import { type MetaFunction, useLocation } from 'react-router';
import type { LegalText } from '../data/legal-texts.ts';
import { LegalPage } from '../features/legal/legal-page.tsx';
import { publicPathIn, publicPaths } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-meta.ts';

const textAt = (pathname: string): LegalText =>
  publicPathIn('es', pathname) === publicPaths.privacy ? 'privacy' : 'terms';

export const meta: MetaFunction = ({ location }) =>
  textAt(location.pathname) === 'privacy'
    ? publicMeta('privacy', {
        title: t`Políticas de Privacidad`,
        description: t`Qué datos guarda Chasqui, para qué los usa y cómo los protege.`,
      })
    : publicMeta('terms', {
        title: t`Términos de Servicio`,
        description: t`Los términos con los que Chasqui recibe tu pago con tarjeta y entrega bolivianos a tu familia.`,
      });

/** `/terms` and `/privacy`. */
export default function Legal() {
  const { pathname } = useLocation();
  return <LegalPage text={textAt(pathname)} />;
}

import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { LegalPage } from '../features/legal/legal-page.tsx';
import { publicMeta } from '../lib/public-meta.ts';

export const meta: MetaFunction = () =>
  publicMeta('privacy', {
    title: t`Políticas de Privacidad`,
    description: t`Qué datos guarda Chasqui, para qué los usa y cómo los protege.`,
  });

/** `/privacy`. */
export default function PrivacyPage() {
  return <LegalPage text="privacy" />;
}

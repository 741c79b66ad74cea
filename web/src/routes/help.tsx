import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { Help } from '../features/help/help.tsx';
import { publicMeta } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () =>
  publicMeta('help', {
    title: t`Ayuda`,
    description: t`Cómo enviar dinero a Bolivia con Chasqui: cuánto cuesta, cuándo llega, cómo se cancela y con quién hablar.`,
  });

/** `/ayuda`. */
export default function HelpPage() {
  return (
    <Page title={t`Ayuda`} lead={t`Respuestas a lo que más nos preguntan, y cómo hablar con nosotros.`}>
      <Help />
    </Page>
  );
}

import type { MetaFunction } from 'react-router';
import { Help } from '../features/help/help.tsx';
import { paths } from '../lib/paths.ts';
import { publicMeta } from '../lib/public-pages.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => publicMeta(paths.help);

/** `/ayuda`. */
export default function HelpPage() {
  return (
    <Page title="Ayuda" lead="Respuestas a lo que más nos preguntan, y cómo hablar con nosotros.">
      <Help />
    </Page>
  );
}

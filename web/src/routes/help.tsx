import { Help } from '../features/help/help.tsx';
import { Page } from '../ui/page.tsx';

/** `/ayuda`. */
export function Component() {
  return (
    <Page title="Ayuda" lead="Respuestas a lo que más nos preguntan, y cómo hablar con nosotros.">
      <Help />
    </Page>
  );
}

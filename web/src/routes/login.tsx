import { Page } from '../ui/page.tsx';

export function Component() {
  return (
    <Page title="Iniciar Sesión">
      <span />
    </Page>
  );
}

import { Page } from '../ui/page.tsx';

export function Component() {
  return (
    <Page title="Tu Panel de Remesas">
      <span />
    </Page>
  );
}

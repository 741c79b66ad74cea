import { Page } from '../ui/page.tsx';

/** The admin panel. */
export function Component() {
  return (
    <Page title="Panel de Administración">
      <span />
    </Page>
  );
}

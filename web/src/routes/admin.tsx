import { AdminPanel } from '../features/admin/admin-panel.tsx';
import { RefreshButton } from '../features/admin/refresh-button.tsx';
import { Page } from '../ui/page.tsx';

/** The admin panel. */
export function Component() {
  return (
    <Page title="Panel de Administración" aside={<RefreshButton />}>
      <AdminPanel />
    </Page>
  );
}

import { t } from '@lingui/core/macro';
import type { MetaFunction } from 'react-router';
import { AdminPanel, RefreshButton } from '../features/admin/admin-panel.tsx';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Panel de Administración`) }];

/** The admin panel. */
export default function AdminPage() {
  return (
    <Page title={t`Panel de Administración`} aside={<RefreshButton />}>
      <AdminPanel />
    </Page>
  );
}

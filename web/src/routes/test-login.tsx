import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { type MetaFunction, useNavigate } from 'react-router';
import { startSession } from '../data/session.ts';
import { TestLogin } from '../features/account/test-login.tsx';
import { paths } from '../lib/paths.ts';
import { tabTitle } from '../lib/public-meta.ts';
import { Page } from '../ui/page.tsx';

export const meta: MetaFunction = () => [{ title: tabTitle(t`Acceso de prueba`) }];

/** Signs the test user in and goes to the payment page. */
export default function TestLoginPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <Page title={t`Acceso de prueba`} lead={t`Solo existe en el modo de prueba.`} size={608}>
      <TestLogin
        onEntered={(session) => {
          startSession(queryClient, session);
          void navigate(paths.stripe);
        }}
      />
    </Page>
  );
}

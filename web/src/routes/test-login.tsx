import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { TestLogin } from '../features/account/test-login.tsx';
import { paths } from '../lib/paths.ts';
import { startSession } from '../lib/session.ts';
import { Page } from '../ui/page.tsx';
import { SandboxOnly } from './sandbox-only.tsx';

/** Signs the test user in and goes to the payment page. */
export function Component() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <SandboxOnly>
      <Page title="Acceso de prueba" lead="Solo existe en el modo de prueba." size={608}>
        <TestLogin
          onEntered={(session) => {
            startSession(queryClient, session);
            void navigate(paths.stripe);
          }}
        />
      </Page>
    </SandboxOnly>
  );
}

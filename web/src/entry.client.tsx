import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { AppError } from './app/app-error.tsx';
import { reloadAfterDeploy } from './app/reload-after-deploy.ts';
import { queryClient } from './data/query-client.ts';
import { sessionKey } from './data/query-keys.ts';
import { reportError, reportUncaughtErrors } from './lib/client-errors.ts';
import { countStart } from './lib/failed-starts.ts';
import { isPrerendered } from './lib/hydration.ts';

// Our content security policy forbids code made from text, which zod would otherwise try. It comes later, with the first form,
// and finds its settings here.
globalThis.__zod_globalConfig = { jitless: true };

reportUncaughtErrors();
reloadAfterDeploy(import.meta.url);

if (countStart()) start();
else createRoot(document.body).render(<AppError error={new Error('A file of the page did not come')} />);

function start() {
  if (isPrerendered()) {
    // As it was rendered, for a visitor; whether somebody is signed in is asked as soon as it is on screen.
    queryClient.setQueryData(sessionKey, null);
    void queryClient.invalidateQueries({ queryKey: sessionKey, refetchType: 'none' });
  }
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter onError={reportError} />
      </StrictMode>,
    );
  });
}

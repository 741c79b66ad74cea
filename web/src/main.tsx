import '@fontsource-variable/figtree/wght.css';
import '@fontsource-variable/bricolage-grotesque/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { loadRoutesOf } from './app/drawn-routes.ts';
import { LiveConnection } from './app/live-connection.tsx';
import { Providers } from './app/providers.tsx';
import { reloadAfterDeploy } from './app/reload-after-deploy.ts';
import { routes } from './app/routes.tsx';
import { awaitSign, noteSign } from './lib/first-sign.ts';
import { queryClient } from './lib/query-client.ts';
import { mayBeSignedIn, sessionKey } from './lib/session-storage.ts';

// Our content security policy forbids code made from text, which zod would otherwise try. It comes later, with the first form,
// and finds its settings here.
globalThis.__zod_globalConfig = { jitless: true };

reloadAfterDeploy(import.meta.url);
void start(document.getElementById('root'));

/** A page drawn while building is drawn for a visitor: for one it comes to life as it is, for who is signed in it is drawn anew. */
async function start(root: HTMLElement | null): Promise<void> {
  if (!root) throw new Error('index.html has no #root');
  // A file that does not come is the router's to tell: it asks again and shows the error page.
  await loadRoutesOf(window.location).catch(() => undefined);
  const page = (
    <StrictMode>
      <Providers>
        <LiveConnection />
        <RouterProvider router={createBrowserRouter(routes)} />
      </Providers>
    </StrictMode>
  );
  if (root.dataset.drawn !== window.location.pathname || mayBeSignedIn()) {
    noteSign();
    createRoot(root).render(page);
    return;
  }
  awaitSign();
  queryClient.setQueryData(sessionKey, null);
  // In slices, between which the browser answers the person.
  startTransition(() => {
    hydrateRoot(root, page);
  });
}

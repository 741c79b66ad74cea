import '@fontsource-variable/figtree/wght.css';
import '@fontsource-variable/bricolage-grotesque/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { LiveConnection } from './app/live-connection.tsx';
import { loadRoutesOf } from './app/prerendered-routes.ts';
import { Providers } from './app/providers.tsx';
import { reloadAfterDeploy } from './app/reload-after-deploy.ts';
import { routes } from './app/routes.tsx';
import { awaitFirstInteraction, noteInteraction } from './lib/first-interaction.ts';
import { queryClient } from './lib/query-client.ts';
import { mayBeSignedIn, sessionKey } from './lib/session-storage.ts';

// Our content security policy forbids code made from text, which zod would otherwise try. It comes later, with the first form,
// and finds its settings here.
globalThis.__zod_globalConfig = { jitless: true };

reloadAfterDeploy(import.meta.url);
void start(document.getElementById('root'));

/** Hydrates a prerendered page for visitors, for whom it was rendered; renders anew for signed-in people. */
async function start(root: HTMLElement | null): Promise<void> {
  if (!root) throw new Error('index.html has no #root');
  // The router tries a missing file again and shows the error page.
  await loadRoutesOf(window.location).catch(() => undefined);
  const hydrates = root.dataset.prerendered === window.location.pathname && !mayBeSignedIn();
  // With data to hydrate from, empty as it is, the router leaves the page where the browser or the person has scrolled it meanwhile;
  // else it scrolls to the top, also in the middle of a press.
  const router = createBrowserRouter(routes, hydrates ? { hydrationData: {} } : undefined);
  const page = (
    <StrictMode>
      <Providers>
        <LiveConnection />
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  );
  if (!hydrates) {
    noteInteraction();
    createRoot(root).render(page);
    return;
  }
  awaitFirstInteraction();
  queryClient.setQueryData(sessionKey, null);
  // In slices, between which the browser answers the person.
  startTransition(() => {
    hydrateRoot(root, page);
  });
}

import '@fontsource-variable/figtree/wght.css';
import '@fontsource-variable/bricolage-grotesque/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { LiveConnection } from './app/live-connection.tsx';
import { Providers } from './app/providers.tsx';
import { router } from './app/router.tsx';

// Our content security policy forbids code made from text, which zod would otherwise try. It comes later, with the first form,
// and finds its settings here.
globalThis.__zod_globalConfig = { jitless: true };

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Providers>
      <LiveConnection />
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);

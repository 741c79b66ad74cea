import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { loadRoutesOf } from './app/drawn-routes.ts';
import { LiveConnection } from './app/live-connection.tsx';
import { Providers } from './app/providers.tsx';
import { routes } from './app/routes.tsx';
import { noteSign } from './lib/first-sign.ts';
import { queryClient } from './lib/query-client.ts';
import { sessionKey } from './lib/session-storage.ts';

export { pageAddresses } from './app/page-addresses.ts';
export { publicPages } from './app/public-pages.ts';

/** The HTML of a page as a visitor first sees it. Runs while building, on Node; main.tsx brings it to life. */
export async function draw(path: string): Promise<string> {
  await loadRoutesOf({ pathname: path });
  queryClient.setQueryData(sessionKey, null);
  noteSign();
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(new URL(path, 'http://localhost')));
  if (context instanceof Response) throw new Error(`${path} leads elsewhere while it is drawn`);
  const { prelude } = await prerender(
    <StrictMode>
      <Providers>
        <LiveConnection />
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </Providers>
    </StrictMode>,
    // Parts put in their places later would need inline scripts, which our content security policy forbids.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}

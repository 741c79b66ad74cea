import { StrictMode } from 'react';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom';
import { LiveConnection } from './app/live-connection.tsx';
import { loadRoutesOf } from './app/prerendered-routes.ts';
import { Providers } from './app/providers.tsx';
import { routes } from './app/routes.tsx';
import { noteInteraction } from './lib/first-interaction.ts';
import { queryClient } from './lib/query-client.ts';
import { sessionKey } from './lib/session-storage.ts';

export { pageAddresses } from './app/page-addresses.ts';
export { publicPages } from './app/public-pages.ts';

/** The HTML of a page as a visitor first sees it. Runs at build time, on Node; main.tsx hydrates it. */
export async function prerenderPage(path: string): Promise<string> {
  await loadRoutesOf({ pathname: path });
  queryClient.setQueryData(sessionKey, null);
  noteInteraction();
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(new URL(path, 'http://localhost')));
  if (context instanceof Response) throw new Error(`${path} redirects while it is prerendered`);
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
    // Streaming placeholders need inline scripts, which the content security policy forbids.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}

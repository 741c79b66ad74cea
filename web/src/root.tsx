import '@fontsource-variable/figtree/wght.css';
import '@fontsource-variable/bricolage-grotesque/wght.css';
// In a cascade layer: our own styles win over the library's in whatever order files come.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './app/global.css';
import './app/large-text.css';
import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';
import { t } from '@lingui/core/macro';
import { ColorSchemeScript } from '@mantine/core';
import type { ReactNode } from 'react';
import { Links, type LinksFunction, Meta, type MetaFunction, Outlet, Scripts, ScrollRestoration } from 'react-router';
import { companyAttribute, companyPlaceholder } from '#core/contracts/company';
import { Frame } from './app/frame.tsx';
import languageOffer from './app/language-offer.js?raw';
import lostFiles from './app/lost-files.js?raw';
import { Providers } from './app/providers.tsx';
import { startId } from './lib/document.ts';
import { languageTag } from './lib/language.ts';
import { tabTitle } from './lib/public-meta.ts';
import { PageError, PageLoading } from './ui/page.tsx';

/** The two typefaces of every page come with the styles instead of after them, so that words do not change their width on screen. */
export const links: LinksFunction = () => [
  ...[figtree, bricolage].map(
    (href) => ({ rel: 'preload', as: 'font', type: 'font/woff2', href, crossOrigin: 'anonymous' }) as const,
  ),
  { rel: 'icon', href: '/mark.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/icons/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
];

export const meta: MetaFunction = () => [{ title: tabTitle(t`Envía dinero a Bolivia`) }];

/** The document and the frame of every page: the frame keeps its state, an open menu too, when the page's files come or it breaks. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    // The colour scheme is set by a script before React starts, the company by the api.
    <html
      lang={languageTag()}
      suppressHydrationWarning
      {...(import.meta.env.SSR && { [companyAttribute]: companyPlaceholder })}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#FBF8F2" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0F172A" media="(prefers-color-scheme: dark)" />
        {/* Part of the page, so that it is there first and can never be lost itself. */}
        <script
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of ours
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? lostFiles + languageOffer : '' }}
        />
        <ColorSchemeScript defaultColorScheme="auto" />
        <Meta />
        <Links />
      </head>
      <body>
        <Providers>
          <Frame>{children}</Frame>
        </Providers>
        <noscript>
          {t`Chasqui necesita JavaScript para funcionar. Actívalo en tu navegador y vuelve a cargar la página.`}
        </noscript>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** The page inside its frame. */
export default Outlet;

/** Until the files of a page that is not prerendered are there. */
export function HydrateFallback() {
  return (
    <div id={startId}>
      <PageLoading />
    </div>
  );
}

export { PageError as ErrorBoundary };

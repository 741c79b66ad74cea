import { t } from '@lingui/core/macro';
import type { MetaDescriptor } from 'react-router';
import { type Locale, locales } from '#core/locale/locale';
import { language } from './language.ts';
import { pathIn, publicPaths } from './paths.ts';

/** The server knows the public address and fills it in; in a browser it is where the page is. */
const origin = () => (import.meta.env.SSR ? '{{PUBLIC_URL}}' : window.location.origin);

/** Title of the browser tab. */
export const tabTitle = (title: string): string => `${title} · Chasqui`;

/** Title, description, addresses in each language and preview of a public page, for the `meta` of its route. */
export function publicMeta(
  page: keyof typeof publicPaths,
  { title, description }: { title: string; description: string },
): MetaDescriptor[] {
  const addressIn = (shown: Locale) => `${origin()}${pathIn(shown, publicPaths[page])}`;
  const preview = {
    type: 'website',
    site_name: 'Chasqui',
    locale: language() === 'es' ? 'es_BO' : 'en_US',
    url: addressIn(language()),
    title,
    description,
    image: `${origin()}/preview.png`,
    'image:width': '1200',
    'image:height': '630',
    'image:alt': t`Chasqui: envía dinero a Bolivia`,
  };
  return [
    { title: tabTitle(title) },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: addressIn(language()) },
    ...locales.map((shown) => ({ tagName: 'link', rel: 'alternate', hrefLang: shown, href: addressIn(shown) })),
    { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: addressIn('es') },
    ...Object.entries(preview).map(([name, content]) => ({ property: `og:${name}`, content })),
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}

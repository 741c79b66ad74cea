import { type Locale, locales } from '#core/locale/locale';
import { pathIn, publicPaths } from './paths.ts';

/** A page for everybody, in one language. */
interface PublicPage {
  readonly path: string;
  /** Name of its prerendered HTML file. */
  readonly file: string;
  readonly language: Locale;
}

/** Public pages: prerendered at build time and listed in the site map, each in every language. */
export const publicPages: readonly PublicPage[] = locales.flatMap((language) =>
  Object.values(publicPaths).map((path) => ({
    path: pathIn(language, path),
    file: `${path.slice(1) || 'home'}${language === 'es' ? '' : `.${language}`}.html`,
    language,
  })),
);

/** The language of the public page at a path, with or without a final slash. */
export function languageOfPage(pathname: string): Locale | undefined {
  const plain = pathname.replace(/(?<=.)\/$/, '');
  return publicPages.find(({ path }) => path === plain)?.language;
}

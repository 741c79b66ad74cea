import { Anchor, CloseButton } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { useLocation } from 'react-router';
import type { Locale } from '#core/locale/locale';
import { chooseReadLanguage, useSession } from '../../data/session.ts';
import { documentLoader, isPrerendered, useHydrated, useOpenPayment } from '../../lib/document.ts';
import { chooseLanguage, language, languageNames, otherLanguage } from '../../lib/language.ts';
import { pathIn, paths, publicPathIn, publicPaths } from '../../lib/paths.ts';
import classes from './language-offer.module.css';

/** What a link or button to the other language needs. Another language is another document: the page is loaded anew. */
export function useLanguageSwitch() {
  const { pathname, search, hash } = useLocation();
  const hydrated = useHydrated();
  // A prerendered page was rendered without them, and the start of all others as that of the front page.
  const rest = hydrated ? `${search}${hash}` : '';
  const isStart = !hydrated && typeof document !== 'undefined' && !isPrerendered();
  const { data: session } = useSession();
  const { held } = useOpenPayment();
  const language = otherLanguage();
  const address = publicPathIn(language, isStart ? publicPaths.home : pathname);
  const choose = async () => {
    chooseLanguage(language);
    if (session) await chooseReadLanguage(language);
    if (address !== null) return;
    // That page is English for every reader: the other language begins at the front page.
    if (pathname === paths.fixedStripe) documentLoader.open(pathIn(language, publicPaths.home));
    else documentLoader.reload();
  };
  const href = address === null ? null : `${address}${rest}`;
  return {
    name: languageNames[language],
    lang: language,
    /** Null where the page has one address in all languages. */
    href,
    /** Keeps the choice, and shows it where no link leads to it. */
    choose,
    /** For what is no link. */
    async change() {
      await choose();
      if (href !== null) documentLoader.open(href);
    },
    /** A payment under way is never reloaded away. */
    disabled: held,
  };
}

/** "English" on a Spanish page, "Español" on an English one. */
export function LanguageSwitch(props: Pick<ComponentPropsWithoutRef<'a'>, 'className'>) {
  const { name, lang, href, choose, disabled } = useLanguageSwitch();
  const shared = { lang, c: 'inherit', 'data-testid': 'language-switch', ...props } as const;
  if (href === null)
    return (
      <Anchor component="button" type="button" onClick={choose} disabled={disabled} {...shared}>
        {name}
      </Anchor>
    );
  return (
    <Anchor href={href} hrefLang={lang} onClick={() => void choose()} {...shared}>
      {name}
    </Anchor>
  );
}

/** In the language that is offered, which is not the page's: no catalogue is loaded for them. */
const texts: Readonly<Record<Locale, readonly [offer: string, decline: string]>> = {
  es: ['Leer esta página en español', 'No, gracias'],
  en: ['Read this page in English', 'No, thanks'],
};

/** Offers a public page in its other language to a browser that asks for that one (app/language-offer.js); never takes anybody there. */
export function LanguageOffer() {
  const { href, lang, choose } = useLanguageSwitch();
  if (href === null) return null;
  const [offer, decline] = texts[lang];
  return (
    <aside className={classes.offer} lang={lang}>
      <Anchor href={href} hrefLang={lang} onClick={() => void choose()} data-testid="language-offer">
        {offer}
      </Anchor>
      <CloseButton aria-label={decline} onClick={() => chooseLanguage(language())} />
    </aside>
  );
}

import { Anchor, CloseButton } from '@mantine/core';
import type { Locale } from '#core/locale/locale';
import { chooseLanguage, language } from '../../lib/language.ts';
import classes from './language-offer.module.css';
import { useLanguageSwitch } from './language-switch.tsx';

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

import { Anchor, CloseButton, Paper } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { Locale } from '#core/locale/locale';
import { browserLanguage, chooseLanguage, chosenLanguage, language } from '../../lib/language.ts';
import { publicPathIn } from '../../lib/paths.ts';
import classes from './language-offer.module.css';

/** In the language that is offered, which is not the page's: no catalogue is loaded for them. */
const texts: Readonly<Record<Locale, { label: string; offer: string; decline: string }>> = {
  es: { label: 'Idioma', offer: 'Leer esta página en español', decline: 'No, gracias' },
  en: { label: 'Language', offer: 'Read this page in English', decline: 'No, thanks' },
};

/** Offers a public page in the language that the browser asks for, until somebody has chosen; never takes anybody there. */
export default function LanguageOffer() {
  const { pathname, search, hash } = useLocation();
  const [declined, setDeclined] = useState(false);
  const offered = browserLanguage();
  if (declined || chosenLanguage() || !offered || offered === language()) return null;
  const address = publicPathIn(offered, pathname);
  if (address === null) return null;
  const { label, offer, decline } = texts[offered];
  return (
    <Paper component="aside" className={classes.offer} aria-label={label} lang={offered} shadow="md" withBorder>
      <Anchor
        href={`${address}${search}${hash}`}
        hrefLang={offered}
        onClick={() => chooseLanguage(offered)}
        data-testid="language-offer"
      >
        {offer}
      </Anchor>
      <CloseButton
        aria-label={decline}
        onClick={() => {
          chooseLanguage(language());
          setDeclined(true);
        }}
        data-testid="language-decline"
      />
    </Paper>
  );
}

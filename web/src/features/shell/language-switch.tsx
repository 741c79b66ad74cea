import { Anchor } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { useLocation } from 'react-router';
import { chooseReadLanguage, useSession } from '../../data/session.ts';
import { reloadDocument } from '../../lib/documents.ts';
import { useHydrated } from '../../lib/hydration.ts';
import { chooseLanguage, languageNames, otherLanguage } from '../../lib/language.ts';
import { useOpenPayment } from '../../lib/open-payment.ts';
import { publicPathIn } from '../../lib/paths.ts';

/** What a link or button to the other language needs. Another language is another document: the page is loaded anew. */
export function useLanguageSwitch() {
  const { pathname, search, hash } = useLocation();
  // A prerendered page was rendered without them.
  const rest = useHydrated() ? `${search}${hash}` : '';
  const { data: session } = useSession();
  const { held } = useOpenPayment();
  const language = otherLanguage();
  const address = publicPathIn(language, pathname);
  const choose = async () => {
    chooseLanguage(language);
    if (session) await chooseReadLanguage(language);
    if (address === null) reloadDocument();
  };
  return {
    name: languageNames[language],
    lang: language,
    /** Null where the page has one address in all languages. */
    href: address === null ? null : `${address}${rest}`,
    choose,
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

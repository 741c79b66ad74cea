import { i18n, type Messages } from '@lingui/core';
import { type Locale, locales } from '#core/locale/locale';

// Texts stand in Spanish in the code, in English in the catalogues (decision 27).

/** As each language calls itself. */
export const languageNames: Readonly<Record<Locale, string>> = { es: 'Español', en: 'English' };

/** For `<html lang>`. */
const tags: Readonly<Record<Locale, string>> = { es: 'es-BO', en: 'en' };

/**
 * The language that is shown: one for as long as a page is open, because another one is another document. Until it is set no text
 * can be translated, so that one which would be while modules load throws.
 */
export const language = (): Locale => (i18n.locale === 'en' ? 'en' : 'es');

/** Its tag, as `<html lang>` wants it. */
export const languageTag = (): string => tags[language()];

/** The other of two. */
export const otherLanguage = (): Locale => (language() === 'es' ? 'en' : 'es');

/** Shows a language from now on. Before anything is rendered. */
export function showLanguage(next: Locale, messages: Messages = {}): void {
  i18n.loadAndActivate({ locale: next, messages });
}

/** The language of a tag or of nothing: English for "en-GB". */
export const languageOfTag = (tag: string): Locale | undefined =>
  locales.find((known) => tag.toLowerCase().split('-')[0] === known);

const yearSeconds = 365 * 24 * 60 * 60;

/** With https other hosts of the domain cannot set it; the server looks for the same name (api/web/web-files.ts). */
const isSecure = () => window.location.protocol === 'https:';
const cookieName = () => (isSecure() ? '__Host-language' : 'language');

/** The language that somebody chose in this browser, or undefined. */
export function chosenLanguage(): Locale | undefined {
  const [, value = ''] = new RegExp(`(?:^|; )${cookieName()}=(\\w+)`).exec(document.cookie) ?? [];
  return languageOfTag(value);
}

/** Keeps a choice for a year. Nothing is offered to who has chosen (app/language-offer.js). */
export function chooseLanguage(chosen: Locale): void {
  delete document.documentElement.dataset.languageOffer;
  const secure = isSecure() ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API answers too late for a link that leaves the page
  document.cookie = `${cookieName()}=${chosen}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
}

/** The first of our languages that the browser asks for. */
export function browserLanguage(): Locale | undefined {
  return navigator.languages.map(languageOfTag).find((known) => known !== undefined);
}

/*
 * A catalogue for each feature and layer. Those of public pages come with every English page; the others with the first page
 * that is not public.
 */
const ofPublicPages = () => import('./english-public.ts');
const ofApp = () => import('./english-app.ts');

/** The English texts of public pages, or of all. */
export async function loadEnglish(parts: 'public' | 'all'): Promise<Messages> {
  const loaded = await Promise.all(parts === 'all' ? [ofPublicPages(), ofApp()] : [ofPublicPages()]);
  return Object.assign({}, ...loaded.map(({ messages }) => messages));
}

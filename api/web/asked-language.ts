import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { Locale } from '#core/locale/locale';

/**
 * The language of pages that have no fixed language: the person's choice (web/src/lib/language.ts; signing in keeps the
 * account's), else the browser's preference. With `secure` no other host of the domain can set it.
 */
export function requestedLanguage(request: Request, secure: boolean): Locale {
  const chosen = parseCookie(request.headers.cookie ?? '')[secure ? '__Host-language' : 'language'];
  const language = chosen === 'es' || chosen === 'en' ? chosen : request.acceptsLanguages('es', 'en');
  return language === 'en' ? 'en' : 'es';
}

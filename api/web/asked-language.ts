import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { Locale } from '#core/locale/locale';

/**
 * The language in which a browser shows pages that have none of their own: what somebody chose (web/src/lib/language.ts; signing in keeps
 * that of their row), else what it asks for. With `secure` another host of the domain cannot choose it.
 */
export function askedLanguage(request: Request, secure: boolean): Locale {
  const chosen = parseCookie(request.headers.cookie ?? '')[secure ? '__Host-language' : 'language'];
  const language = chosen === 'es' || chosen === 'en' ? chosen : request.acceptsLanguages('es', 'en');
  return language === 'en' ? 'en' : 'es';
}

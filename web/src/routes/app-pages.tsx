import { Outlet } from 'react-router';
import { loadEnglish } from '../lib/english.ts';
import { chooseLanguage, language, showLanguage } from '../lib/language.ts';

/**
 * Around every page that is not public. Their addresses are the same in each language: what somebody came with from the public pages
 * is kept as their choice, and the English texts come before the page.
 */
export async function clientLoader(): Promise<null> {
  chooseLanguage(language());
  if (language() === 'en') showLanguage('en', await loadEnglish('all'));
  return null;
}

export default Outlet;

export { PageError as ErrorBoundary } from '../ui/page-error.tsx';

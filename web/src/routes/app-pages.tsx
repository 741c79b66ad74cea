import { Outlet } from 'react-router';
import { browserLanguage, chooseLanguage, language, loadEnglish, showLanguage } from '../lib/language.ts';

/**
 * Around every page that is not public. Their addresses are the same in each language: what somebody came with from a public page, and
 * would not get by themselves, is kept as their choice. The English texts come before the page.
 */
export async function clientLoader(): Promise<null> {
  if (language() !== (browserLanguage() ?? 'es')) chooseLanguage(language());
  if (language() === 'en') showLanguage('en', await loadEnglish('all'));
  return null;
}

export default Outlet;

export { PageError as ErrorBoundary } from '../ui/page.tsx';

import { type ClientLoaderFunctionArgs, Outlet, redirectDocument } from 'react-router';
import { ProveEmail } from '../features/account/prove-email.tsx';
import { documentLoader } from '../lib/document.ts';
import {
  browserLanguage,
  chooseLanguage,
  chosenLanguage,
  language,
  loadEnglish,
  showLanguage,
} from '../lib/language.ts';
import { paths } from '../lib/paths.ts';

/**
 * Around every page that is not public. Their addresses are the same in each language: what somebody came with from a public page, and
 * would not get by themselves, is kept as their choice. The English texts come before the page.
 */
export async function clientLoader({ request }: Pick<ClientLoaderFunctionArgs, 'request'>): Promise<null> {
  if (language() !== (chosenLanguage() ?? browserLanguage() ?? 'es')) {
    // A document that is English for every reader says nothing about this one: what they read comes as another document.
    if (documentLoader.openedAt() === paths.fixedStripe) throw redirectDocument(request.url);
    chooseLanguage(language());
  }
  if (language() === 'en') showLanguage('en', await loadEnglish('all'));
  return null;
}

/** Any of these pages may take a payment. */
export default function AppPages() {
  return (
    <>
      <Outlet />
      <ProveEmail />
    </>
  );
}

export { PageError as ErrorBoundary } from '../ui/page.tsx';

import { lazy } from 'react';
import { type ClientLoaderFunctionArgs, Outlet, redirectDocument } from 'react-router';
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
import { LazyPart } from '../ui/lazy-part.tsx';

const Proofs = lazy(() => import('../features/account/proofs.tsx'));

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

/** Any of these pages may take a payment, or do something else that asks who it is. */
export default function AppPages() {
  return (
    <>
      <Outlet />
      <LazyPart missing={null}>
        <Proofs />
      </LazyPart>
    </>
  );
}

export { PageError as ErrorBoundary } from '../ui/page.tsx';

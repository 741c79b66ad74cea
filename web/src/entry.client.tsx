import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { AppError } from './app/app-error.tsx';
import { reloadAfterDeploy } from './app/reload-after-deploy.ts';
import { surviveTranslators } from './app/translated-page.ts';
import { queryClient } from './data/query-client.ts';
import { sessionKey } from './data/query-keys.ts';
import { reportError, reportUncaughtErrors } from './lib/client-errors.ts';
import { isPrerendered, keepCompany } from './lib/document.ts';
import { loadFailureSentences } from './lib/failure-messages.ts';
import { languageOfTag, loadEnglish, showLanguage } from './lib/language.ts';
import { countStart } from './lib/storage.ts';

// Our content security policy forbids code made from text, which zod would otherwise try. It comes later, with the first form,
// and finds its settings here.
globalThis.__zod_globalConfig = { jitless: true };

keepCompany();
surviveTranslators();
reportUncaughtErrors();
reloadAfterDeploy(import.meta.url);

if (countStart()) void start();
else giveUp();

function giveUp() {
  createRoot(document.body).render(<AppError error={new Error('A file of the page did not come')} />);
}

async function start() {
  showLanguage('es');
  // What the server sent is hydrated in its language.
  if (languageOfTag(document.documentElement.lang) === 'en') {
    try {
      const [messages] = await Promise.all([
        loadEnglish(isPrerendered() ? 'public' : 'all'),
        // The api's own sentences are Spanish.
        loadFailureSentences(),
      ]);
      showLanguage('en', messages);
    } catch {
      return giveUp();
    }
  }
  if (isPrerendered()) {
    // As it was rendered, for a visitor; whether somebody is signed in is asked as soon as it is on screen.
    queryClient.setQueryData(sessionKey, null);
    void queryClient.invalidateQueries({ queryKey: sessionKey, refetchType: 'none' });
  }
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter onError={reportError} />
      </StrictMode>,
    );
  });
  loadFailureSentences().catch(() => undefined);
}

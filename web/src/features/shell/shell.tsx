import { Trans } from '@lingui/react/macro';
import { lazy, type ReactNode } from 'react';
import { useHydrated } from '../../lib/document.ts';
import { browserLanguage, chosenLanguage, language } from '../../lib/language.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Footer } from './footer.tsx';
import { NavBar } from './nav-bar.tsx';
import { NewVersion } from './new-version.tsx';
import classes from './shell.module.css';
import { TestModeBanner } from './test-mode-banner.tsx';

/** Its file comes only where it has something to offer. */
const LanguageOffer = lazy(() => import('./language-offer.tsx'));

/** What stands around every page; `ownHeader` is for a page that brings its own. */
export function Shell({ children, ownHeader }: { children: ReactNode; ownHeader: boolean }) {
  // A build cannot know what a browser asks for.
  const offers = useHydrated() && !chosenLanguage() && (browserLanguage() ?? language()) !== language();
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        <Trans>Saltar al contenido</Trans>
      </a>
      <NewVersion />
      <TestModeBanner />
      {!ownHeader && <NavBar />}
      <main id="content" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
      {offers && (
        <LazyPart missing={null}>
          <LanguageOffer />
        </LazyPart>
      )}
    </div>
  );
}

import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { NavBar } from './nav-bar.tsx';
import { NewVersion } from './new-version.tsx';
import classes from './shell.module.css';
import { TestModeBanner } from './test-mode-banner.tsx';

/** What stands around every page; `ownHeader` is for a page that brings its own. */
export function Shell({ children, ownHeader }: { children: ReactNode; ownHeader: boolean }) {
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        Saltar al contenido
      </a>
      <NewVersion />
      <TestModeBanner />
      {!ownHeader && <NavBar />}
      <main id="content" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}

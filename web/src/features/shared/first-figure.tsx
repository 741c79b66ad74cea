import type { CSSProperties } from 'react';
import type { FirstFigureName } from '../../lib/first-quote.ts';
import classes from './first-figure.module.css';

/**
 * The place of a figure that a script of the prerendered page fills in before the app is there (app/first-figures.ts), of a width that is
 * kept until then. What that wrote stays when the page is hydrated; elsewhere it stays empty.
 */
export function FirstFigure({ name, width }: { name: FirstFigureName; width: string }) {
  return (
    <span
      className={classes.figure}
      style={{ '--first-figure-width': width } as CSSProperties}
      data-first-figure={name}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: empty, so that React leaves alone what is inside
      dangerouslySetInnerHTML={{ __html: '' }}
    />
  );
}

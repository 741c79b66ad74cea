import { useEffect } from 'react';
import type { Locale } from '#core/locale/locale';
import { reportError } from '../lib/client-errors.ts';

/** The English catalogue may be what did not come. */
const texts = {
  es: [
    'Algo salió mal',
    'Ocurrió un error inesperado. Recarga la página; si sigue igual, vuelve en unos minutos.',
    'Recargar la página',
  ],
  en: [
    'Something went wrong',
    'An unexpected error occurred. Reload the page; if it stays the same, come back in a few minutes.',
    'Reload the page',
  ],
} as const satisfies Record<Locale, unknown>;

/** In place of the whole app when something outside its pages broke. Plain HTML: the component library may be what broke. */
export function AppError({ error }: { error: unknown }) {
  useEffect(() => {
    console.error(error);
    reportError(error);
    // The app may have broken before it was ready; the button works all the same (global.css).
    document.documentElement.setAttribute('data-hydrated', '');
  }, [error]);
  const [title, text, button] = texts[document.documentElement.lang === 'en' ? 'en' : 'es'];
  return (
    <main className="cq-app-error" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      <button type="button" onClick={() => window.location.reload()}>
        {button}
      </button>
    </main>
  );
}

import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { reportError } from '../lib/client-errors.ts';
/** In place of the whole app when something outside its pages broke. Plain HTML: the component library may be what broke. */
export function AppError({ error }: { error: unknown }) {
  useEffect(() => {
    console.error(error);
    reportError(error);
    // The app may have broken before it was ready; the button works all the same (global.css).
    document.documentElement.setAttribute('data-hydrated', '');
  }, [error]);
  return (
    <main className="cq-app-error" role="alert">
      <h1>
        <Trans>Algo salió mal</Trans>
      </h1>
      <p>
        <Trans>Ocurrió un error inesperado. Recarga la página; si sigue igual, vuelve en unos minutos.</Trans>
      </p>
      <button type="button" onClick={() => window.location.reload()}>
        <Trans>Recargar la página</Trans>
      </button>
    </main>
  );
}

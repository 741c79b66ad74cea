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
      <h1>Algo salió mal</h1>
      <p>Ocurrió un error inesperado. Recarga la página; si sigue igual, vuelve en unos minutos.</p>
      <button type="button" onClick={() => window.location.reload()}>
        Recargar la página
      </button>
    </main>
  );
}

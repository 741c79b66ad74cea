import { useEffect } from 'react';
import type { FallbackProps } from 'react-error-boundary';

/** In place of the whole app when something outside its pages broke. Plain HTML: the component library may be what broke. */
export function AppError({ error }: FallbackProps) {
  useEffect(() => console.error(error), [error]);
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

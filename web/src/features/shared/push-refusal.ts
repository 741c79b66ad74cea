import { t } from '@lingui/core/macro';
import { errorMessage } from '../../lib/http.ts';
import { PushRefusal } from '../../lib/push.ts';

/** Why notifications could not be turned on, and what to do. */
export function pushRefusalText(error: Error): string {
  if (!(error instanceof PushRefusal)) return errorMessage(error);
  switch (error.why) {
    case 'dismissed':
      return t`Todavía no los permitiste. Enciéndelos otra vez y elige «Permitir».`;
    case 'blocked':
      return t`Elegiste no permitirlos. En Mi cuenta te decimos cómo cambiarlo.`;
    default:
      return t`El navegador no llegó a su servicio de avisos. Revisa tu conexión y prueba otra vez.`;
  }
}

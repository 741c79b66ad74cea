import { t } from '@lingui/core/macro';
import type { SourceFailureView } from '#core/contracts/http/rate-source-health';

/** Why a source gave nothing, without a full stop; the api's own Spanish sentence for codes of a later build. */
export function sourceFailureText({ code, status = 0, field = '', sentence }: SourceFailureView): string {
  switch (code) {
    case 'unreachable':
      return t`No responde`;
    case 'timeout':
      return t`Tardó demasiado en responder`;
    case 'forbidden':
      return t`Rechaza la consulta`;
    case 'too_many_requests':
      return t`Pide esperar: demasiadas consultas`;
    case 'circuit_open':
      return t`En pausa tras varios fallos`;
    case 'bad_status':
      return t`Respondió con un error (${status})`;
    case 'too_large':
      return t`Respondió con demasiados datos`;
    case 'unexpected_error':
      return t`No pudimos leer su respuesta por un error nuestro`;
    case 'changed_shape':
      return field === 'body'
        ? t`Cambió su formato: la respuesta no se puede leer`
        : t`Cambió su formato: falta el campo ${field} o es otro`;
    case 'absurd_value':
      return t`Dio un valor imposible en el campo ${field}`;
    default:
      return sentence;
  }
}

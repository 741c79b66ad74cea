import type { UpdateRatesView } from '#core/contracts/http/comparison';
import type { SourceHealthView } from '#core/contracts/http/rate-source-health';
import { rateSourceNames, rateSources, type SourceFailure } from '#core/rates/sources';
import type { SourceHealth } from '#domain/rate-observations/source-health';
import type { SourceResult } from '#domain/rate-sources/source';

/** Why a source gave nothing, as a Spanish sentence without its full stop. */
function sourceFailureSentence(failure: SourceFailure): string {
  switch (failure.code) {
    case 'unreachable':
      return 'No responde';
    case 'timeout':
      return 'Tardó demasiado en responder';
    case 'forbidden':
      return 'Rechaza la consulta';
    case 'too_many_requests':
      return 'Pide esperar: demasiadas consultas';
    case 'circuit_open':
      return 'En pausa tras varios fallos';
    case 'bad_status':
      return `Respondió con un error (${failure.status})`;
    case 'too_large':
      return 'Respondió con demasiados datos';
    case 'unexpected_error':
      return 'No pudimos leer su respuesta por un error nuestro';
    case 'changed_shape':
      return failure.field === 'body'
        ? 'Cambió su formato: la respuesta no se puede leer'
        : `Cambió su formato: falta el campo ${failure.field} o es otro`;
    case 'absurd_value':
      return `Dio un valor imposible en el campo ${failure.field}`;
  }
}

/** What a failure says besides its code. */
function factsOf(failure: SourceFailure): { status?: number; field?: string } {
  if ('status' in failure) return { status: failure.status };
  return 'field' in failure ? { field: failure.field } : {};
}

/** API representation of how a source has been doing. */
export function toSourceHealthView(health: SourceHealth): SourceHealthView {
  const { source, lastSuccessAt, lastAskedAt, lastFailure, ...figures } = health;
  return {
    source,
    name: rateSourceNames[source],
    ...figures,
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    lastAskedAt: lastAskedAt?.toISOString() ?? null,
    lastFailure: lastFailure && {
      code: lastFailure.code,
      ...factsOf(lastFailure),
      sentence: sourceFailureSentence(lastFailure),
    },
  };
}

/** API representation of a forced run's results; null while it is still under way. */
export function toForcedRunView(results: readonly SourceResult[] | null): UpdateRatesView {
  if (!results) {
    const pending = { reason: 'no_answer_yet', sentence: 'Sin respuesta todavía' };
    return { updated: 0, failed: rateSources.map((source) => ({ source, ...pending })) };
  }
  const failed = results.flatMap(({ source, failure }) =>
    failure ? [{ source, reason: failure.code, ...factsOf(failure), sentence: sourceFailureSentence(failure) }] : [],
  );
  return { updated: results.length - failed.length, failed };
}

import type { ComparisonRow, ComparisonView } from '#core/contracts/http/comparison';
import { type RateSource, rateSourceNames, type SourceFailure } from '#core/rates/sources';
import { isComparable } from '../../data/comparison.ts';
import { ageText } from '../../lib/format/dates.ts';

/** What is wrong with the typed amount, or null. */
export function comparedAmountProblem(amount: string): string | null {
  return amount === '' || isComparable(amount) ? null : 'Escribe un monto de 1 o más';
}

const referenceLabel = 'Valor de referencia, sin datos en vivo';

/** How far a figure can be trusted: a label, and when it was collected. */
export function freshnessLabel(
  row: Pick<ComparisonRow, 'freshness' | 'collectedAt'> & { readonly id?: ComparisonRow['id'] },
  now: number,
): { label: string; age: string | null } {
  const age = row.collectedAt && ageText(row.collectedAt, now);
  if (row.id === 'chasqui') return { label: 'Tasa vigente', age: age && `fijada ${age}` };
  if (row.freshness === 'live') return { label: 'En vivo', age };
  // A reference value is fixed: a time beside it would make it look collected.
  return row.freshness === 'older' ? { label: 'Dato anterior', age } : { label: referenceLabel, age: null };
}

/** Best first: by bolivianos received, as the server ranked them. */
export function rankedRows({ ourRate, competitors }: Pick<ComparisonView, 'ourRate' | 'competitors'>): ComparisonRow[] {
  return [ourRate, ...competitors].sort((one, other) => one.rank - other.rank);
}

export const comparisonFailed = 'Error al cargar los datos de comparación. Por favor, inténtelo nuevamente.';
export const updateFailed = 'No se pudieron actualizar las tasas. Inténtalo de nuevo.';

const failureLabels: Record<SourceFailure['code'] | 'no_answer_yet', string> = {
  unreachable: 'no responde',
  timeout: 'tardó demasiado',
  forbidden: 'acceso denegado',
  too_many_requests: 'demasiadas consultas',
  circuit_open: 'en pausa tras varios fallos',
  bad_status: 'respondió con un error',
  changed_shape: 'cambió de formato',
  absurd_value: 'valor imposible',
  too_large: 'respondió con demasiados datos',
  unexpected_error: 'error nuestro al leerla',
  no_answer_yet: 'sin respuesta todavía',
};

/** What a forced update did: how many sources gave a figure, and which did not, by name and why. */
export function updateMessage(result: {
  updated: number;
  failed: readonly { source: string; reason: string }[];
}): string {
  const { updated } = result;
  const done = updated === 1 ? 'Se actualizó 1 fuente.' : `Se actualizaron ${updated} fuentes.`;
  if (result.failed.length === 0) return done;
  const named = result.failed.map(({ source, reason }) => {
    const name = rateSourceNames[source as RateSource] ?? source;
    return `${name} (${failureLabels[reason as keyof typeof failureLabels] ?? reason})`;
  });
  return `${updated === 0 ? updateFailed : done} Sin dato de: ${named.join(', ')}.`;
}

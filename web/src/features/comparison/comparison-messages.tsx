import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Card, SimpleGrid, Skeleton } from '@mantine/core';
import type { ComparisonRow, ComparisonView } from '#core/contracts/http/comparison';
import { type RateSource, rateSourceNames, type SourceFailure } from '#core/rates/sources';
import { isComparable } from '../../data/comparison.ts';
import { sourceName } from '../shared/source-names.ts';

/** What is wrong with the typed amount, or null. */
export function comparedAmountProblem(amount: string): string | null {
  return amount === '' || isComparable(amount) ? null : t`Escribe un monto de 1 o más`;
}

/** Best first: by bolivianos received, as the server ranked them. */
export function rankedRows({ ourRate, competitors }: Pick<ComparisonView, 'ourRate' | 'competitors'>): ComparisonRow[] {
  return [ourRate, ...competitors].sort((one, other) => one.rank - other.rank);
}

export const comparisonFailed = () => t`Error al cargar los datos de comparación. Por favor, inténtelo nuevamente.`;
export const updateFailed = () => t`No se pudieron actualizar las tasas. Inténtalo de nuevo.`;

const failureLabels: Record<SourceFailure['code'] | 'no_answer_yet', MessageDescriptor> = {
  unreachable: msg`no responde`,
  timeout: msg`tardó demasiado`,
  forbidden: msg`acceso denegado`,
  too_many_requests: msg`demasiadas consultas`,
  circuit_open: msg`en pausa tras varios fallos`,
  bad_status: msg`respondió con un error`,
  changed_shape: msg`cambió de formato`,
  absurd_value: msg`valor imposible`,
  too_large: msg`respondió con demasiados datos`,
  unexpected_error: msg`error nuestro al leerla`,
  no_answer_yet: msg`sin respuesta todavía`,
};

/** What a forced update did: how many sources gave a figure, and which did not, by name and why. */
export function updateMessage(result: {
  updated: number;
  failed: readonly { source: string; reason: string }[];
}): string {
  const { updated } = result;
  const done = plural(updated, { one: 'Se actualizó # fuente.', other: 'Se actualizaron # fuentes.' });
  if (result.failed.length === 0) return done;
  const named = result.failed.map(({ source, reason }) => {
    const name = sourceName(rateSourceNames[source as RateSource] ?? source);
    const label = failureLabels[reason as keyof typeof failureLabels];
    return `${name} (${label ? i18n._(label) : reason})`;
  });
  const outcome = updated === 0 ? updateFailed() : done;
  const missing = named.join(', ');
  return t`${outcome} Sin dato de: ${missing}.`;
}

const cells = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The widget's rows while they are on their way, in their own shape. */
export function WidgetRowsLoading() {
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xs" aria-busy="true" role="status" aria-label={t`Cargando`}>
      {cells.map((cell) => (
        <Skeleton key={cell} height={102} />
      ))}
    </SimpleGrid>
  );
}

/** The whole widget while its own file is on its way. */
export function WidgetLoading() {
  return (
    <Card>
      <Skeleton height={28} width="60%" maw={320} mb="md" />
      <WidgetRowsLoading />
    </Card>
  );
}

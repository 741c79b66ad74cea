import { t } from '@lingui/core/macro';
import type { ComparisonView } from '#core/contracts/http/comparison';
import { percentText } from './format/numbers.ts';

/**
 * The only claim that we are better; null while the server cannot prove it. `where` the comparison stands:
 * on the same screen with all its rows, or elsewhere.
 */
export function claimText(
  { claimPercent }: Pick<ComparisonView, 'claimPercent'>,
  where: 'here' | 'elsewhere' = 'here',
): string | null {
  if (claimPercent === null) return null;
  const percent = percentText(claimPercent);
  return where === 'here'
    ? t`Con Chasqui llegan hasta ${percent} más bolivianos que con otros servicios de esta comparación, por lo mismo que pagas.`
    : t`Con Chasqui llegan hasta ${percent} más bolivianos que con otros servicios que comparamos, por lo mismo que pagas.`;
}

import type { ComparisonView } from '#core/contracts/http/comparison';
import { percentText } from './numbers.ts';

const compared = { here: 'de esta comparación', elsewhere: 'que comparamos' } as const;

/**
 * The only claim that we are better; null while the server cannot prove it. `where` the comparison stands:
 * on the same screen with all its rows, or elsewhere.
 */
export function claimText(
  { claimPercent }: Pick<ComparisonView, 'claimPercent'>,
  where: keyof typeof compared = 'here',
): string | null {
  if (claimPercent === null) return null;
  return `Con Chasqui llegan hasta ${percentText(claimPercent)} más bolivianos que con otros servicios ${compared[where]}, por lo mismo que pagas.`;
}

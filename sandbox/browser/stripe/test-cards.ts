/** The most useful test cards and their outcomes; the server has more. */
import { formatNumber } from './card-rules.ts';

export interface TestCardHint {
  number: string;
  outcome: string;
}

function hint(digits: string, outcome: string): TestCardHint {
  return { number: formatNumber(digits), outcome };
}

export const TEST_CARD_HINTS: TestCardHint[] = [
  hint('4242424242424242', 'Se acepta'),
  hint('4000002760003184', 'Pide 3-D Secure'),
  hint('4000000000009995', 'Sin fondos'),
  hint('4000000000000002', 'Rechazada'),
  hint('4000000000000069', 'Vencida'),
];

/** The most useful test cards and their outcomes; the server has more. */
import { formatNumber } from './card-rules.ts';
import type { Language } from './messages.ts';

export interface TestCardHint {
  number: string;
  outcome: Readonly<Record<Language, string>>;
}

function hint(digits: string, es: string, en: string): TestCardHint {
  return { number: formatNumber(digits), outcome: { es, en } };
}

export const TEST_CARD_HINTS: TestCardHint[] = [
  hint('4242424242424242', 'Se acepta', 'Accepted'),
  hint('4000002760003184', 'Pide 3-D Secure', 'Asks for 3-D Secure'),
  hint('4000000000009995', 'Sin fondos', 'No funds'),
  hint('4000000000000002', 'Rechazada', 'Declined'),
  hint('4000000000000069', 'Vencida', 'Expired'),
];

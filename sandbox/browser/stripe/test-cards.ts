/** A folded list of Stripe's test cards; choosing one fills the form. */
import { formatNumber } from './card-rules.ts';
import { build } from './dom.ts';
import { WORDS } from './messages.ts';

const TEST_CARDS: [number: string, outcome: string][] = [
  ['4242424242424242', 'Se acepta'],
  ['4000002760003184', 'Pide 3-D Secure'],
  ['4000000000009995', 'Sin fondos'],
  ['4000000000000002', 'Rechazada'],
  ['4000000000000069', 'Vencida'],
];

export function testCards(choose: (number: string) => void): HTMLElement {
  const rows = TEST_CARDS.map(([number, outcome]) => {
    const button = build(
      'button',
      { type: 'button' },
      build('span', {}, formatNumber(number)),
      build('span', {}, outcome),
    );
    button.addEventListener('click', () => choose(number));
    return build('li', {}, button);
  });
  return build(
    'details',
    { class: 'Text TestCards', 'data-testid': 'test-cards' },
    build('summary', {}, WORDS.testCards),
    build('ul', {}, ...rows),
  );
}

/** A collapsed list of test cards under the form; choosing one fills the form. */
import { build } from '../dom.ts';
import { type Language, labelsIn } from './messages.ts';
import { TEST_CARD_HINTS } from './test-cards.ts';

/** @param choose is called with the card number of the chosen row. */
export function testCardList(language: Language, choose: (number: string) => void): HTMLElement {
  const rows = TEST_CARD_HINTS.map(({ number, outcome }) => {
    const button = build('button', { type: 'button' }, build('span', {}, number), build('span', {}, outcome[language]));
    button.addEventListener('click', () => choose(number));
    return build('li', {}, button);
  });
  return build(
    'details',
    { class: 'Text TestCards', 'data-testid': 'test-cards' },
    build('summary', {}, labelsIn(language).testCards),
    build('ul', {}, ...rows),
  );
}

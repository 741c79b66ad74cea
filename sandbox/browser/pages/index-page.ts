import { TEST_CARD_HINTS } from '../stripe/test-cards.ts';
import { byId } from './control.ts';
import { codeText, drawTable } from './table.ts';

drawTable(
  byId('cards'),
  'Tarjetas de prueba',
  [{ label: 'Número' }, { label: 'Resultado' }],
  TEST_CARD_HINTS.map(({ number, outcome }) => ({ key: number, name: number, cells: [codeText(number), outcome] })),
  '',
);

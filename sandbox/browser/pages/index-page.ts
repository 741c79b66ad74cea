import { TEST_CARD_HINTS } from '../stripe/test-cards.ts';
import { byId, get, Refresher } from './control.ts';
import type { SandboxState } from './state.ts';
import { codeText, renderTable } from './table.ts';

renderTable(
  byId('cards'),
  'Tarjetas de prueba',
  [{ label: 'Número' }, { label: 'Resultado' }],
  TEST_CARD_HINTS.map(({ number, outcome }) => ({ key: number, name: number, cells: [codeText(number), outcome.es] })),
  '',
);

new Refresher(async () => {
  const { counts } = await get<SandboxState>('/sandbox/state');
  const waiting = (counts.delivery_pending ?? 0) + (counts.delivery_held ?? 0);
  byId('stripe-counts').textContent = `Pagos: ${counts.payment_intent ?? 0}. Avisos por entregar: ${waiting}.`;
  byId('mail-counts').textContent = `Mensajes: ${counts.mail ?? 0}.`;
  byId('bank-counts').textContent = `Pagos: ${counts.payout ?? 0}.`;
});

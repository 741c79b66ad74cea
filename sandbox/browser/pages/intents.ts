/** The table of card payments with their possible actions. */
import type { IntentView } from '../../control/views.ts';
import { amountText } from '../stripe/amount.ts';
import { type Refresher, send, timeText } from './control.ts';
import { codeText, type RowAction, renderTable, stateBadge, type TableRow, type Tone } from './table.ts';

const STATES: Record<string, [label: string, tone: Tone]> = {
  requires_payment_method: ['Espera tarjeta', 'none'],
  requires_confirmation: ['Espera confirmación', 'none'],
  requires_action: ['Espera 3-D Secure', 'wait'],
  processing: ['En proceso', 'wait'],
  requires_capture: ['Retenido', 'wait'],
  succeeded: ['Cobrado', 'good'],
  canceled: ['Anulado', 'none'],
};

const COLUMNS = [
  { label: 'Pago' },
  { label: 'Importe', number: true },
  { label: 'Estado' },
  { label: 'Tarjeta' },
  { label: 'Creado' },
];

function stateOf(intent: IntentView): HTMLElement {
  const [label, tone] = STATES[intent.status] ?? [intent.status, 'none'];
  if (intent.amountRefunded > 0 && intent.status === 'succeeded') {
    return stateBadge(intent.amountRefunded < intent.amountReceived ? 'Devuelto en parte' : 'Devuelto', 'none');
  }
  if (intent.lastError && intent.status === 'requires_payment_method') return stateBadge('Rechazado', 'bad');
  return stateBadge(label, tone);
}

function cardOf({ card, lastError }: IntentView): string {
  const name = card?.last4 ? `${card.brand ?? ''} ···· ${card.last4}` : '';
  const reason = lastError?.declineCode ?? lastError?.code;
  return [name, reason].filter(Boolean).join(', ');
}

function actionsOf(intent: IntentView, page: () => Refresher): RowAction[] {
  const path = `/sandbox/stripe/payment_intents/${intent.id}`;
  const answer = (label: string, outcome: string) => ({
    label,
    run: () => page().act(`3-D Secure: ${label.toLowerCase()}.`, () => send('POST', `${path}/challenge`, { outcome })),
  });
  if (intent.status === 'requires_action') return [answer('Completar', 'complete'), answer('Rechazar', 'fail')];
  if (intent.status === 'succeeded' && !intent.disputed && intent.amountRefunded < intent.amountReceived) {
    const open = (label: string, body: object) => ({
      label,
      run: () => page().act('El banco de la tarjeta reclama.', () => send('POST', `${path}/dispute`, body)),
    });
    return [
      open('Disputar', {}),
      open('Consultar', { inquiry: true }),
      open('Prevenir devolviendo', { prevented: 'resolution' }),
      open('Prevenir bloqueando', { prevented: 'block' }),
    ];
  }
  if (intent.status !== 'requires_capture') return [];
  const run = () => page().act('La retención venció.', () => send('POST', `${path}/expire_hold`));
  return [{ label: 'Vencer retención', run }];
}

export function renderIntents(place: HTMLElement, intents: IntentView[], page: () => Refresher): void {
  const rows: TableRow[] = intents.map((intent) => ({
    key: intent.id,
    name: `pago ${intent.id}`,
    cells: [
      codeText(intent.id),
      amountText(intent.amount, intent.currency, 'es'),
      stateOf(intent),
      cardOf(intent),
      timeText(intent.created * 1000),
    ],
    actions: actionsOf(intent, page),
  }));
  renderTable(
    place,
    'Pagos con tarjeta',
    COLUMNS,
    rows,
    'Todavía no hay pagos. Paga con una tarjeta de prueba en el producto.',
  );
}

/** The table of onramp sessions, each of which can be moved into every status. */
import type { OnrampView } from '../../stripe/onramp.ts';
import type { OnrampStatus } from '../../stripe/onramp-session.ts';
import { type Refresher, send, timeText } from './control.ts';
import { codeText, renderTable, stateBadge, type TableRow, type Tone } from './table.ts';

const STATES: Record<OnrampStatus, [label: string, tone: Tone]> = {
  initialized: ['Abierta', 'none'],
  requires_payment: ['Espera pago', 'none'],
  fulfillment_processing: ['En camino', 'wait'],
  fulfillment_complete: ['Entregada', 'good'],
  rejected: ['Rechazada', 'bad'],
};

const COLUMNS = [
  { label: 'Compra' },
  { label: 'Importe', number: true },
  { label: 'Recibe', number: true, named: true },
  { label: 'Estado' },
  { label: 'Creada' },
];

const amount = (value: string | null, currency: string | null) => (value ? `${value} ${currency ?? ''}`.trim() : '');

export function renderOnramp(place: HTMLElement, purchases: OnrampView[], page: () => Refresher): void {
  const rows: TableRow[] = purchases.map((purchase) => {
    const [label, tone] = STATES[purchase.status];
    const others = (Object.keys(STATES) as OnrampStatus[]).filter((status) => status !== purchase.status);
    return {
      key: purchase.id,
      name: `compra ${purchase.id}`,
      cells: [
        codeText(purchase.id),
        amount(purchase.sourceAmount, purchase.sourceCurrency),
        amount(purchase.destinationAmount, purchase.destinationCurrency),
        stateBadge(label, tone),
        timeText(purchase.created * 1000),
      ],
      actions: others.map((status) => ({
        label: STATES[status][0],
        danger: status === 'rejected',
        run: () =>
          page().act(`Compra: ${STATES[status][0].toLowerCase()}.`, () =>
            send('POST', `/sandbox/stripe/onramp_sessions/${purchase.id}/status`, { status }),
          ),
      })),
    };
  });
  const empty = 'Todavía no hay compras. Abre una en el producto, en /stripe-integration-crypto.';
  renderTable(place, 'Compras de criptomonedas', COLUMNS, rows, empty);
}

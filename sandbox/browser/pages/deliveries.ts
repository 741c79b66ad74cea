/** The table of webhook deliveries, each of which can be sent again. */
import type { Delivery } from '../../stripe/deliveries.ts';
import { type Refresher, send, timeText } from './control.ts';
import { codeText, renderTable, stateBadge, type TableRow, type Tone } from './table.ts';

const STATES: Record<Delivery['state'], [label: string, tone: Tone]> = {
  pending: ['Por entregar', 'wait'],
  held: ['Retenido', 'wait'],
  dropped: ['Perdido', 'bad'],
  delivered: ['Entregado', 'good'],
  failed: ['Fallido', 'bad'],
};

const COLUMNS = [
  { label: 'Aviso' },
  { label: 'Estado' },
  { label: 'Intentos', number: true, named: true },
  { label: 'Respuesta', named: true },
  { label: 'Creado' },
];

export function renderDeliveries(place: HTMLElement, deliveries: Delivery[], page: () => Refresher): void {
  const rows: TableRow[] = deliveries.map((delivery) => {
    const [stateLabel, tone] = STATES[delivery.state];
    const label = delivery.state === 'delivered' ? 'Repetir' : 'Entregar';
    const run = () =>
      page().act(`Enviado: ${delivery.eventType}.`, () =>
        send('POST', `/sandbox/stripe/deliveries/${delivery.id}/deliver`),
      );
    return {
      key: delivery.id,
      name: `${delivery.eventType} ${delivery.event}`,
      cells: [
        codeText(delivery.eventType),
        stateBadge(stateLabel, tone),
        String(delivery.attempts),
        delivery.lastStatus === null ? (delivery.lastError ?? '') : String(delivery.lastStatus),
        timeText(delivery.created),
      ],
      actions: [{ label, run }],
    };
  });
  renderTable(place, 'Avisos enviados', COLUMNS, rows, 'Todavía no hay avisos. Nacen con cada paso de un pago.');
}

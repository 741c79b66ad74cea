/** The panel that orders failures of one door (Stripe's or the bank's) and shows those still to come. */
import type { Fault, FaultOrder } from '../../server/faults.ts';
import { build } from '../dom.ts';
import { byId, type Refresher, SettingsForm, send } from './control.ts';

interface Choice {
  name: string;
  order: Pick<FaultOrder, 'kind'> & Partial<FaultOrder>;
}

const CHOICES: Choice[] = [
  { name: 'Error 500, sin hacer nada', order: { kind: 'error', status: 500 } },
  { name: 'Demasiadas peticiones (429)', order: { kind: 'error', status: 429 } },
  { name: 'Sin respuesta', order: { kind: 'timeout' } },
  { name: 'Conexión cortada', order: { kind: 'drop' } },
  { name: 'Lo hace y responde 500', order: { kind: 'do_then_error', status: 500 } },
  { name: 'Lo hace y no responde', order: { kind: 'do_then_timeout' } },
  { name: 'Lo hace y corta', order: { kind: 'do_then_drop' } },
  { name: 'Tarda 5 segundos', order: { kind: 'slow', delayMs: 5000 } },
];

function nameOf(fault: Fault): string {
  const same = CHOICES.filter(({ order }) => order.kind === fault.kind);
  return (same.find(({ order }) => order.status === fault.status) ?? same[0])?.name ?? fault.kind;
}

export class FaultPanel {
  readonly #path: string;

  /** @param path regular expression of the door's paths, e.g. `^/v1/`. */
  constructor(path: string, page: () => Refresher) {
    this.#path = path;
    const select = byId('fault').querySelector('select');
    select?.replaceChildren(...CHOICES.map(({ name }, index) => build('option', { value: String(index) }, name)));
    new SettingsForm('fault', (form) => {
      const { name, order } = CHOICES[Number(form.text('kind'))] as Choice;
      const body = { ...order, path, times: form.number('times') };
      return page().act(`Pedido: ${name}.`, () => send('POST', '/sandbox/faults', body));
    });
    byId('clear-faults').addEventListener('click', () => {
      void page().act('Ya no hay fallos pedidos.', () => send('DELETE', '/sandbox/faults'));
    });
  }

  show(faults: Fault[]): void {
    const own = faults.filter(({ path }) => path === this.#path);
    const list = own.map((fault) => `${nameOf(fault)} × ${fault.times}`).join(' · ');
    byId('faults').textContent = list ? `Pendientes: ${list}` : 'Ninguno pendiente.';
  }
}

/** The panel that injects faults into one simulator (Stripe or the bank) and lists those not yet used up. */
import type { Fault, FaultRequest } from '../../server/fault-schema.ts';
import { build } from '../dom.ts';
import { byId, type Refresher, SettingsForm, send } from './control.ts';

interface Choice {
  name: string;
  fault: Pick<FaultRequest, 'kind'> & Partial<FaultRequest>;
}

const CHOICES: Choice[] = [
  { name: 'Error 500, sin hacer nada', fault: { kind: 'error', status: 500 } },
  { name: 'Sin permiso (403), sin hacer nada', fault: { kind: 'error', status: 403 } },
  { name: 'Demasiadas peticiones (429)', fault: { kind: 'error', status: 429 } },
  { name: 'Sin respuesta', fault: { kind: 'timeout' } },
  { name: 'Conexión cortada', fault: { kind: 'drop' } },
  { name: 'Lo hace y responde 500', fault: { kind: 'do_then_error', status: 500 } },
  { name: 'Lo hace y responde 413 un proxy', fault: { kind: 'do_then_error', status: 413, page: true } },
  { name: 'Lo hace y no responde', fault: { kind: 'do_then_timeout' } },
  { name: 'Lo hace y corta', fault: { kind: 'do_then_drop' } },
  { name: 'Tarda 5 segundos', fault: { kind: 'slow', delayMs: 5000 } },
];

function nameOf({ kind, status }: Fault): string {
  const same = CHOICES.filter(({ fault }) => fault.kind === kind);
  return (same.find(({ fault }) => fault.status === status) ?? same[0])?.name ?? kind;
}

export class FaultPanel {
  readonly #path: string;

  /** @param path regular expression of the simulator's paths, e.g. `^/v1/`. */
  constructor(path: string, page: () => Refresher) {
    this.#path = path;
    const select = byId('fault').querySelector('select');
    select?.replaceChildren(...CHOICES.map(({ name }, index) => build('option', { value: String(index) }, name)));
    new SettingsForm('fault', (form) => {
      const { name, fault } = CHOICES[Number(form.text('kind'))] as Choice;
      const body = { ...fault, path, times: form.number('times') };
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

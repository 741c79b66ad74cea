import { formatBolivianos } from '#core/money/format';
import type { Payout } from '../../bank/payouts.ts';
import { build } from '../dom.ts';
import { byId, get, Refresher, SettingsForm, send, timeText } from './control.ts';
import { FaultPanel } from './faults.ts';
import type { SandboxState } from './state.ts';
import { codeText, type RowAction, renderTable, stateBadge } from './table.ts';

const REASONS: Record<string, string> = {
  account_not_found: 'La cuenta de destino no existe.',
  name_mismatch: 'El nombre no coincide con el titular de la cuenta.',
  account_blocked: 'La cuenta de destino está bloqueada.',
};

const COLUMNS = [
  { label: 'Pago' },
  { label: 'Importe', number: true },
  { label: 'Estado' },
  { label: 'Referencia o motivo' },
  { label: 'Creado' },
];

const page = (): Refresher => refresher;

const options = Object.entries(REASONS).map(([code, message]) => build('option', { value: code }, message));
byId('mode')
  .querySelector('select')
  ?.replaceChildren(...options);

const mode = new SettingsForm('mode', (form) => {
  const code = form.text('code');
  const body = {
    rejectNext: form.number('rejectNext'),
    slowMs: form.number('slowMs'),
    rejection: { code, message: REASONS[code] ?? code },
    names: form.text('names'),
  };
  return page().act('Respuestas del banco guardadas.', () => send('PUT', '/sandbox/bank/mode', body));
});

const faults = new FaultPanel('^/bank/', page);

function stateOf({ status, amount, returnedAmount }: Payout): HTMLElement {
  if (status === 'rejected') return stateBadge('Rechazado', 'bad');
  if (returnedAmount === amount) return stateBadge('Devuelto', 'bad');
  return returnedAmount === '0.00' ? stateBadge('Pagado', 'good') : stateBadge('Devuelto en parte', 'wait');
}

/** What is paid can come back: all that is left, or half of it. */
function actionsOf({ externalId, status, amount, returnedAmount }: Payout): RowAction[] {
  if (status === 'rejected' || returnedAmount === amount) return [];
  const path = `/sandbox/bank/payouts/${externalId}/return`;
  const half = (Number(amount) - Number(returnedAmount)) / 2;
  const run = (body: object) => () => page().act('El pago volvió al banco.', () => send('POST', path, body));
  const whole: RowAction = { label: 'Devolver', run: run({}) };
  if (half < 0.01) return [whole];
  return [whole, { label: 'Devolver la mitad', run: run({ amount: half.toFixed(2) }) }];
}

function renderPayouts(payouts: Payout[]): void {
  const rows = payouts.map((payout) => ({
    key: payout.id,
    name: `pago ${payout.externalId}`,
    cells: [
      codeText(payout.externalId),
      formatBolivianos(payout.amount),
      stateOf(payout),
      payout.reference ? codeText(payout.reference) : (payout.rejection?.message ?? ''),
      timeText(Date.parse(payout.createdAt)),
    ],
    actions: actionsOf(payout),
  }));
  const empty = 'Todavía no hay pagos. Aparecen cuando se aprueba un envío.';
  renderTable(byId('payouts'), 'Pagos a cuentas', COLUMNS, rows, empty);
}

const refresher = new Refresher(async () => {
  const [state, payouts] = await Promise.all([
    get<SandboxState>('/sandbox/state'),
    get<{ data: Payout[] }>('/sandbox/bank/payouts'),
  ]);
  const { rejectNext, slowMs, rejection, names } = state.bankMode;
  mode.show({ rejectNext, slowMs, code: rejection.code, names });
  faults.show(state.faults);
  renderPayouts(payouts.data);
});

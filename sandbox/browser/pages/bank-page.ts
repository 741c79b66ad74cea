import { formatBolivianos } from '#core/money/format';
import type { BankRejectionCode } from '#core/payouts/bank-answers';
import type { Payout } from '../../bank/payouts.ts';
import { build } from '../dom.ts';
import { byId, get, Refresher, SettingsForm, send, timeText } from './control.ts';
import { FaultPanel } from './faults.ts';
import type { SandboxState } from './state.ts';
import { codeText, type RowAction, renderTable, stateBadge } from './table.ts';

/** Every code of the table that the product knows, and one that it does not. */
const REASONS = {
  account_not_found: 'La cuenta de destino no existe.',
  account_closed: 'La cuenta de destino está cerrada.',
  account_blocked: 'La cuenta de destino está bloqueada.',
  name_mismatch: 'El nombre no coincide con el titular de la cuenta.',
  invalid_account: 'El número de cuenta no es válido.',
  compliance_hold: 'Retenido por cumplimiento.',
  beneficiary_not_allowed: 'No se permite pagar a este beneficiario.',
  beneficiary_deceased: 'El beneficiario falleció.',
  insufficient_funds: 'La cuenta de origen no tiene saldo suficiente.',
  daily_limit: 'El pago supera el límite diario de la cuenta de origen.',
  daily_limit_reached: 'La cuenta de origen llegó a su límite diario.',
  otro_motivo: 'Un motivo que el producto no conoce.',
} as const satisfies Record<BankRejectionCode | 'otro_motivo', string>;

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

const rejectionOf = (code: string) => ({
  code,
  message: new Map<string, string>(Object.entries(REASONS)).get(code) ?? code,
});

const mode = new SettingsForm('mode', (form) => {
  const body = {
    rejectNext: form.number('rejectNext'),
    pendNext: form.number('pendNext'),
    slowMs: form.number('slowMs'),
    rejection: rejectionOf(form.text('code')),
    names: form.text('names'),
  };
  return page().act('Respuestas del banco guardadas.', () => send('PUT', '/sandbox/bank/mode', body));
});

const faults = new FaultPanel('^/bank/', page);

function stateOf({ status, amount, returnedAmount }: Payout): HTMLElement {
  if (status === 'rejected') return stateBadge('Rechazado', 'bad');
  if (status === 'pending') return stateBadge('Pendiente', 'wait');
  if (returnedAmount === amount) return stateBadge('Devuelto', 'bad');
  return returnedAmount === '0.00' ? stateBadge('Pagado', 'good') : stateBadge('Devuelto en parte', 'wait');
}

/**
 * A pending payout can be settled, with the form's rejection if given; a paid one can be returned, the rest or half of
 * it.
 */
function actionsOf({ externalId, status, amount, returnedAmount }: Payout): RowAction[] {
  if (status === 'rejected' || returnedAmount === amount) return [];
  if (status === 'pending') {
    const settle = (body: object) => () =>
      page().act('El pago tiene su resultado.', () => send('POST', `/sandbox/bank/payouts/${externalId}/settle`, body));
    const code = byId('mode').querySelector('select')?.value ?? '';
    return [
      { label: 'Pagar', run: settle({}) },
      { label: 'Rechazar', run: settle({ rejection: rejectionOf(code) }) },
    ];
  }
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
  const { rejectNext, pendNext, slowMs, rejection, names } = state.bankMode;
  mode.show({ rejectNext, pendNext, slowMs, code: rejection.code, names });
  faults.show(state.faults);
  renderPayouts(payouts.data);
});

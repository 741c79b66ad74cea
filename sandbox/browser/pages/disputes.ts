/** The table of disputes with the decisions of the cardholder's bank. */
import type Stripe from 'stripe';
import { amountText } from '../stripe/amount.ts';
import { type Refresher, send, timeText } from './control.ts';
import { codeText, type RowAction, renderTable, stateBadge, type TableRow, type Tone } from './table.ts';

const STATES: Record<string, [label: string, tone: Tone]> = {
  warning_needs_response: ['Consulta abierta', 'wait'],
  warning_under_review: ['Consulta respondida', 'wait'],
  warning_closed: ['Consulta cerrada', 'none'],
  needs_response: ['Espera pruebas', 'wait'],
  under_review: ['En estudio', 'wait'],
  won: ['Ganada', 'good'],
  lost: ['Perdida', 'bad'],
  prevented: ['Prevenida', 'none'],
  appeal_needs_response: ['Espera apelación', 'wait'],
  appeal_under_review: ['Apelación en estudio', 'wait'],
};

const COLUMNS = [
  { label: 'Disputa' },
  { label: 'Importe', number: true },
  { label: 'Estado' },
  { label: 'Motivo' },
  { label: 'Pruebas hasta' },
];

function actionsOf({ id, status }: Stripe.Dispute, page: () => Refresher): RowAction[] {
  const decide = (label: string, decision: string): RowAction => ({
    label,
    run: () =>
      page().act(`Disputa: ${label.toLowerCase()}.`, () =>
        send('POST', `/sandbox/stripe/disputes/${id}/decide`, { decision }),
      ),
  });
  if (status === 'lost') return [decide('Ofrecer apelación', 'appealable'), decide('Dar la razón', 'appealed')];
  if (['won', 'warning_closed', 'prevented'].includes(status)) return [];
  const escalate = status.startsWith('warning_') ? [decide('Escalar', 'escalated')] : [decide('Perder', 'lost')];
  const expire = status.endsWith('needs_response') ? [decide('Vencer plazo', 'expired')] : [];
  return [decide('Ganar', 'won'), ...escalate, ...expire];
}

export function renderDisputes(place: HTMLElement, disputes: Stripe.Dispute[], page: () => Refresher): void {
  const rows: TableRow[] = disputes.map((dispute) => {
    const [label, tone] = STATES[dispute.status] ?? [dispute.status, 'none'];
    return {
      key: dispute.id,
      name: `disputa ${dispute.id}`,
      cells: [
        codeText(dispute.id),
        amountText(dispute.amount, dispute.currency, 'es'),
        stateBadge(label, tone),
        dispute.reason,
        dispute.evidence_details.due_by ? timeText(dispute.evidence_details.due_by * 1000) : '',
      ],
      actions: actionsOf(dispute, page),
    };
  });
  renderTable(place, 'Disputas', COLUMNS, rows, 'Nadie disputa un pago.');
}

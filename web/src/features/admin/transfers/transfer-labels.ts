import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { isPermitted } from '#core/accounts/roles';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { UserView } from '#core/contracts/http/auth';
import { formatMinor, parseMinor } from '#core/money/money';
import { arrivedMinor } from '#core/transfers/arrived';
import type { TransferState, TransferStatus } from '#core/transfers/states';
import { durationText } from '../../../lib/format/dates.ts';
import { formatAmount } from '../../../lib/format/money.ts';
import { percentText } from '../../../lib/format/numbers.ts';
import { statusLabel } from '../../shared/status-badge.tsx';

/** What an admin can do with a transfer that waits for it. */
export type Decision = 'approve' | 'reject';

/** Label of a status in the admin's lists: as for the sender, but what is "En proceso" for the sender waits here for us. */
export const adminStatusLabel = (status: TransferStatus) => (status === 'pending' ? t`Pendiente` : statusLabel(status));

const stateNotes: Readonly<Partial<Record<TransferState, MessageDescriptor>>> = {
  approved: msg`Cobrando la tarjeta`,
  captured: msg`Pagando al banco`,
  payout_failed: msg`El banco no pudo pagar`,
  refunding: msg`Devolviendo`,
};

/** What a state inside the coarse status means for an admin; null where the status already says it all. */
export function stateNote(state: TransferState): string | null {
  const note = stateNotes[state];
  return note ? i18n._(note) : null;
}

const owners: Readonly<Record<string, MessageDescriptor>> = {
  sender: msg`Remitente`,
  admin: msg`Administración`,
  payments: msg`Pago con tarjeta`,
  payouts: msg`Banco`,
  clock: msg`Automático`,
};

/** Who made a step. */
export function ownerLabel(owner: string): string {
  const label = owners[owner];
  return label ? i18n._(label) : owner;
}

type Step = AdminTransferView['timeline'][number];

/** What happened in one step of the history; an end without payment depends on what came before it. */
export function stepText(transfer: AdminTransferView, index: number): string {
  const step = transfer.timeline[index];
  if (!step) return '';
  const before = transfer.timeline[index - 1];
  switch (step.state) {
    case 'expired':
      return expiryOf(step, before);
    case 'captured':
      return before?.state === 'payout_failed'
        ? t`Cuenta corregida por el remitente, el banco paga otra vez`
        : t`Tarjeta cobrada, pago al banco en curso`;
    case 'payout_failed':
      return before?.state === 'completed'
        ? t`El banco devolvió el pago; falta corregir la cuenta o devolver el dinero`
        : t`El banco no aceptó la cuenta; falta corregirla o devolver el dinero`;
    case 'completed':
      if (before?.state === 'completed') return t`Pagada otra vez por un reclamo; es pérdida nuestra`;
      return completionOf(step, transfer);
    case 'refunding':
      return refundingOf(step, before, transfer);
    case 'refunded':
      return refundOf(index, transfer);
    default:
      return messages[step.state](transfer);
  }
}

function completionOf({ owner }: Step, { payout_reference: reference }: AdminTransferView): string {
  if (owner === 'admin') return reference ? t`Pagada a mano, referencia ${reference}` : t`Pagada a mano`;
  return reference ? t`Pagada por el banco, referencia ${reference}` : t`Pagada por el banco`;
}

/** How money went back; what the card does not take is paid back by bank transfer. */
function refundOf(index: number, { timeline, refund, returned, currency }: AdminTransferView): string {
  if (index < timeline.length - 1 || !refund || minor(refund.byBank) === 0n)
    return t`Dinero devuelto a la tarjeta, comisión incluida`;
  const { reference, byBank } = refund;
  if (byBank !== returned) {
    const amount = formatAmount(byBank, currency);
    return t`Dinero devuelto: ${amount} por transferencia bancaria y lo demás a la tarjeta`;
  }
  return reference
    ? t`Dinero devuelto por transferencia bancaria, referencia ${reference}`
    : t`Dinero devuelto por transferencia bancaria, comisión incluida`;
}

/** Why money goes back: who began it, and what it came after. */
function refundingOf({ owner }: Step, before: Step | undefined, { cancel_requested }: AdminTransferView): string {
  if (before?.state === 'refunded') return t`La tarjeta no recibió la devolución; se le debe el dinero a quien envía`;
  switch (owner) {
    case 'sender':
      return t`El remitente pidió su dinero; vuelve a la tarjeta`;
    case 'admin':
      return t`Administración decidió devolver el dinero; vuelve a la tarjeta`;
    case 'payouts':
      return t`El banco no pudo pagar; el dinero vuelve a la tarjeta`;
    case 'clock':
      return t`Nadie corrigió la cuenta a tiempo; el dinero vuelve a la tarjeta`;
    default:
      return cancel_requested
        ? t`Cancelada por el remitente; el dinero vuelve a la tarjeta`
        : t`El dinero vuelve a la tarjeta`;
  }
}

function expiryOf(step: Step, previous: Step | undefined): string {
  if (previous?.state !== 'in_review') return t`Venció sin pago`;
  return step.owner === 'payments'
    ? t`La tarjeta dejó de retener el monto; no se cobró nada`
    : t`La retención se liberó antes de vencer; no se cobró nada`;
}

/** Steps that always mean the same. */
const messages = {
  awaiting_payment: () => t`Cotización aceptada, esperando el pago`,
  in_review: () => t`Monto retenido en la tarjeta, en revisión`,
  approved: ({ decided_by: person }) => (person ? t`Aprobada por ${person}` : t`Aprobada`),
  rejected: ({ decided_by: person }) =>
    person ? t`Rechazada por ${person}; no se cobró nada` : t`Rechazada; no se cobró nada`,
  cancelled: () => t`Cancelada por el remitente; no se cobró nada`,
  failed: () => t`No se pudo cobrar: la retención ya no existía`,
} satisfies Partial<Record<TransferState, (transfer: AdminTransferView) => string>>;

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** "Visa •••• 4242", or the payment method's name before a card is known. */
export function cardText(transfer: Pick<AdminTransferView, 'card' | 'payment_method'>): string {
  if (!transfer.card) return transfer.payment_method === 'card' ? t`Tarjeta` : transfer.payment_method;
  return `${brands[transfer.card.brand] ?? transfer.card.brand} •••• ${transfer.card.last4}`;
}

/** Whether an admin can decide on it now. */
export function awaitsDecision(transfer: Pick<AdminTransferView, 'state'>): boolean {
  return transfer.state === 'in_review';
}

/** Why this admin cannot make a decision about a transfer in review; null when they can. */
export function decisionBlockedBecause(
  transfer: Pick<AdminTransferView, 'user_id' | 'recipient'>,
  decision: Decision,
  admin: Pick<UserView, 'id' | 'adminRole'> | undefined,
): string | null {
  if (!isPermitted(admin?.adminRole, decision)) return t`Tu rol no permite decidir sobre envíos`;
  if (transfer.user_id === admin?.id) return t`Es tu transferencia: la decide otra persona`;
  // Without a recipient nobody could be paid: the sender has to choose one first.
  if (decision === 'approve' && transfer.recipient === '') return t`Falta el destinatario: lo elige quien envía`;
  return null;
}

/** How the line of our mark-up is called wherever it stands: by how much less than the market we paid for the sender's money. */
export const marginLabel = () => t`Margen sobre el mercado`;

/** What the exchange earns us in money, "$ 2,10", to stand beside its percentage; empty when no reference was known. */
export function marginMoney({ margin, currency }: Pick<AdminTransferView, 'margin' | 'currency'>): string {
  return margin === null ? '' : formatAmount(margin, currency);
}

/** A transfer's mark-up over the market's reference of its moment, "1,25 %"; below zero we paid more than the market. */
export function marginText({ markup_percent: percent }: Pick<AdminTransferView, 'markup_percent'>): string {
  return percent === null ? t`Sin referencia` : percentText(percent);
}

const hourMs = 3_600_000;

/** How near the end of a card hold is: under 48 h it asks for attention, under 24 h for a decision now. */
export type HoldLevel = 'calm' | 'soon' | 'urgent' | 'over';

interface HoldDeadline {
  readonly level: HoldLevel;
  /** End of the hold, ISO. */
  readonly endsAt: string;
  /** "2 d 3 h", "23 h", "40 min"; empty when over. */
  readonly left: string;
}

/** Deadline of a transfer that waits for a decision at `now` (ms); null for every other one. */
export function holdDeadline(
  transfer: Pick<AdminTransferView, 'state' | 'capture_before'>,
  now: number,
): HoldDeadline | null {
  if (transfer.state !== 'in_review' || transfer.capture_before === null) return null;
  const leftMs = Date.parse(transfer.capture_before) - now;
  return { level: levelOf(leftMs), endsAt: transfer.capture_before, left: durationText(leftMs) };
}

function levelOf(leftMs: number): HoldLevel {
  if (leftMs <= 0) return 'over';
  if (leftMs < 24 * hourMs) return 'urgent';
  return leftMs < 48 * hourMs ? 'soon' : 'calm';
}

const minor = (amount: string) => parseMinor(amount) ?? 0n;

/** What the family gets or has, decimal text in bolivianos: less what the bank gave back, unless it was paid again. */
export function arriving(transfer: AdminTransferView): string {
  if (transfer.state !== 'completed') return transfer.amount_bs;
  return formatMinor(
    arrivedMinor({
      state: transfer.state,
      bolivianosMinor: minor(transfer.amount_bs),
      payoutReturnedMinor: minor(transfer.payout_returned),
      paidAgainMinor: minor(transfer.paid_again),
      restPaidMinor: minor(transfer.rest_paid),
    }),
  );
}

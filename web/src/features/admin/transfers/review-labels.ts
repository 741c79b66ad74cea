import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewReason, ReviewView } from '#core/contracts/http/review';
import { formatMinor, parseMinor } from '#core/money/money';
import { withTotal } from '#core/reconciliation/profit';
import { passableStatuses, type ScreeningStatus } from '#core/review/screening';
import { formatAmount } from '../../../lib/format/money.ts';
import type { Tone } from '../../../ui/tone-badge.tsx';
import { countryName } from '../../shared/documents.ts';

/** How a reason looks by its severity. */
export const severityTones = { serious: 'bad', warning: 'wait', info: 'quiet' } as const satisfies Record<
  ReviewReason['severity'],
  Tone
>;

const usd = (amount: string) => formatAmount(amount, 'USD');

/** A reason in a few words, for a badge. */
export function reasonLabel(reason: ReviewReason): string {
  return i18n._(reasonLabels[reason.code]);
}

const reasonLabels = {
  fraud_warning: msg`Aviso de fraude`,
  repeated: msg`¿Enviado dos veces?`,
  first_transfer: msg`Primer envío`,
  new_account: msg`Cuenta nueva`,
  shared_account: msg`Cuenta compartida`,
  many_transfers: msg`Muchos envíos`,
  unusual_sum: msg`Suma inusual`,
  just_under_limit: msg`Justo bajo un límite`,
  split_amounts: msg`Monto dividido`,
  card_country: msg`País de la tarjeta`,
  shared_card: msg`Tarjeta de otra cuenta`,
  card_risk: msg`Riesgo según Stripe`,
  card_review: msg`En revisión en Stripe`,
  new_device: msg`¿Cuenta robada?`,
  declined_cards: msg`Tarjetas rechazadas`,
  account_name: msg`Otro nombre en la cuenta`,
  account_name_alike: msg`Nombre parecido`,
  unclear_name: msg`Nombre por comprobar`,
  screening_hit: msg`Parecido a una lista`,
  screening_blocked: msg`Está en una lista`,
  screening_pending: msg`Listas: en curso`,
  screening_unavailable: msg`Listas: sin respuesta`,
  not_screened: msg`Sin control de listas`,
} as const satisfies Record<ReviewReason['code'], unknown>;

/** A reason as a sentence with its figures. */
export function reasonText(reason: ReviewReason): string {
  switch (reason.code) {
    case 'fraud_warning':
      return t`El banco de la tarjeta avisa de un posible fraude.`;
    case 'repeated': {
      const minutes = plural(reason.minutes, { one: '# minuto', other: '# minutos' });
      return plural(reason.count, {
        one: `Hay otro envío igual de esta persona a la misma cuenta, con ${minutes} de diferencia: pregunta si quiso enviar dos veces.`,
        other: `Hay otros # envíos iguales de esta persona a la misma cuenta; el más cercano, con ${minutes} de diferencia: pregunta si quiso enviar otra vez.`,
      });
    }
    case 'first_transfer':
      return t`Es el primer envío que paga esta persona.`;
    case 'new_account':
      return t`Esta persona nunca había enviado a esta cuenta.`;
    case 'shared_account':
      return plural(reason.senders, {
        one: '# persona envió a esta cuenta en 30 días.',
        other: '# personas enviaron a esta cuenta en 30 días.',
      });
    case 'many_transfers': {
      const sum = usd(reason.usd);
      return plural(reason.count, {
        one: `# envío en 24 horas, ${sum}.`,
        other: `# envíos en 24 horas, ${sum} en total.`,
      });
    }
    case 'unusual_sum': {
      const [sum, usual] = [usd(reason.usd), usd(reason.usual_usd)];
      return t`${sum} en siete días; una semana suya suele ser de ${usual}.`;
    }
    case 'just_under_limit': {
      const [sum, limit] = [usd(reason.usd), usd(reason.limit_usd)];
      if (reason.limit === 'transfer') return t`${sum}: justo por debajo del máximo de un envío, ${limit}.`;
      if (reason.limit === 'day') return t`${sum} en 24 horas: justo por debajo del límite de ${limit}.`;
      return t`${sum} en 30 días: justo por debajo del límite de ${limit}.`;
    }
    case 'split_amounts': {
      const { count } = reason;
      const [sum, threshold] = [usd(reason.usd), usd(reason.threshold_usd)];
      if (reason.by === 'account')
        return t`${count} envíos a esta cuenta en 24 horas suman ${sum}; cada uno queda por debajo de ${threshold}, desde donde se informa.`;
      if (reason.by === 'device')
        return t`${count} envíos desde este navegador en 24 horas suman ${sum}; cada uno queda por debajo de ${threshold}, desde donde se informa.`;
      return t`${count} envíos en 24 horas suman ${sum}; cada uno queda por debajo de ${threshold}, desde donde se informa.`;
    }
    case 'card_country': {
      const [card, profile] = [countryName(reason.card), countryName(reason.profile)];
      return t`La tarjeta es de ${card} y el teléfono de ${profile}.`;
    }
    case 'shared_card': {
      const { blocked } = reason;
      const others = plural(reason.accounts, {
        one: 'Otra cuenta pagó con esta misma tarjeta.',
        other: 'Otras # cuentas pagaron con esta misma tarjeta.',
      });
      return blocked > 0 ? `${others} ${t`Bloqueadas: ${blocked}.`}` : others;
    }
    case 'card_risk': {
      const score = reason.score === null ? '' : ` (${t`${reason.score} de 100`})`;
      return reason.level === 'highest'
        ? t`Stripe ve un riesgo muy alto de fraude con esta tarjeta${score}.`
        : t`Stripe ve un riesgo elevado de fraude con esta tarjeta${score}.`;
    }
    case 'new_device': {
      const [sum, threshold] = [usd(reason.usd), usd(reason.threshold_usd)];
      return t`Puede que otra persona haya entrado en la cuenta: ${sum}, desde un navegador nuevo y a una cuenta bancaria nueva (se mira desde ${threshold}). Llama a quien envía antes de aprobar.`;
    }
    case 'declined_cards': {
      const { cards } = reason;
      return plural(reason.count, {
        one: `# intento de pago rechazado en 24 horas. Tarjetas distintas: ${cards}.`,
        other: `# intentos de pago rechazados en 24 horas. Tarjetas distintas: ${cards}.`,
      });
    }
    case 'card_review':
      return t`Stripe apartó este pago para que una persona lo revise en su panel.`;
    case 'account_name':
    case 'account_name_alike':
      return accountNameText(reason);
    case 'unclear_name': {
      const names = reason.names.join(', ');
      return t`Las listas pueden no reconocer este nombre, por su alfabeto, sus signos o sus palabras sin separar: ${names}. Compáralo con el documento.`;
    }
    case 'screening_hit':
      return t`Un nombre se parece a uno de una lista de sanciones: di si es la misma persona.`;
    case 'screening_blocked':
      return t`Una persona confirmó que el nombre está en una lista. Solo se puede rechazar.`;
    case 'screening_pending':
      return t`El control de listas está en curso.`;
    case 'screening_unavailable':
      return t`El control de listas no respondió: repítelo o comprueba las listas por otro medio.`;
    case 'not_screened':
      return t`Esta instalación no comprueba los nombres en listas de sanciones.`;
  }
}

function accountNameText({
  typed,
  bank_says,
  confirmed,
}: Extract<ReviewReason, { code: 'account_name' | 'account_name_alike' }>): string {
  const said = bank_says
    ? t`El banco dice que la cuenta es de ${bank_says}; el remitente escribió ${typed}.`
    : t`El banco dice que la cuenta no es de ${typed}.`;
  return confirmed ? `${said} ${t`El remitente confirmó el nombre.`}` : said;
}

/** Where the check of names stands, with its tone. */
export function screeningLabel({ status, hits }: Pick<ReviewView['screening'], 'status' | 'hits'>): {
  tone: Tone;
  text: string;
} {
  const label = status === 'clear' && hits.length > 0 ? msg`Parecidos descartados` : screeningLabels[status];
  return { tone: screeningTones[status], text: i18n._(label) };
}

const screeningTones: Record<ScreeningStatus, Tone> = {
  ...{
    pending: 'wait',
    clear: 'good',
    hit: 'bad',
    blocked: 'bad',
    unavailable: 'bad',
    checked: 'good',
    unclear: 'bad',
    off: 'wait',
  },
};

const screeningLabels = {
  pending: msg`Control en curso`,
  clear: msg`Sin coincidencias`,
  hit: msg`Hay un parecido`,
  blocked: msg`Está en una lista`,
  unavailable: msg`Sin respuesta`,
  checked: msg`Comprobado a mano`,
  unclear: msg`Nombre por comprobar`,
  off: msg`Sin control de listas`,
} as const satisfies Record<ScreeningStatus, unknown>;

/** What an approval is expected to earn, in the sending currency. */
export interface Earnings {
  /** Without its sign. */
  readonly amount: string;
  readonly loses: boolean;
  /** What Stripe is expected to take of it. */
  readonly processorFee: string;
}

/** Fee and exchange together, less Stripe's fee. Null where the market's rate or Stripe's prices are not known. */
export function earnings(
  { fee, margin }: Pick<AdminTransferView, 'fee' | 'margin'>,
  { processor_fee: processorFee }: Pick<ReviewView, 'processor_fee'>,
): Earnings | null {
  if (margin === null || processorFee === null) return null;
  const [feeMinor, marginMinor, processorMinor] = [parseSigned(fee), parseSigned(margin), parseSigned(processorFee)];
  if (feeMinor === null || marginMinor === null || processorMinor === null) return null;
  const { total } = withTotal({ fee: feeMinor, margin: marginMinor, processor: -processorMinor, loss: 0n });
  return { amount: formatMinor(total < 0n ? -total : total), loses: total < 0n, processorFee };
}

function parseSigned(text: string): bigint | null {
  const minor = parseMinor(text.replace(/^-/, ''));
  return minor === null ? null : text.startsWith('-') ? -minor : minor;
}

/** Who else keeps a transfer from being decided now, or null. */
export function claimText(
  { claim }: Pick<ReviewView, 'claim'>,
  adminId: string | undefined,
  now: number,
): string | null {
  if (!claim || Date.parse(claim.until) <= now) return null;
  const minutes = Math.max(1, Math.ceil((Date.parse(claim.until) - now) / 60_000));
  const { by } = claim;
  return claim.by_id === adminId ? t`La tienes tú, ${minutes} min` : t`La tiene ${by}, ${minutes} min`;
}

/** Why this admin cannot approve a transfer now, by its review; null when they can. */
export function approvalBlockedBecause(
  review: Pick<ReviewView, 'screening' | 'approval' | 'claim'>,
  adminId: string | undefined,
  now: number,
): string | null {
  const { screening, approval, claim } = review;
  if (!passableStatuses.includes(screening.status))
    return i18n._(screeningBlocks[screening.status] ?? msg`Falta el control de listas`);
  if (approval && approval.by_id === adminId) return t`Ya la aprobaste: falta la aprobación de otra persona`;
  return claim && claim.by_id !== adminId ? claimText(review, adminId, now) : null;
}

const screeningBlocks: Partial<Record<ScreeningStatus, MessageDescriptor>> = {
  pending: msg`El control de listas de sanciones está en curso`,
  hit: msg`Primero di si el nombre es el de la lista de sanciones`,
  blocked: msg`El nombre está en una lista de sanciones: solo se puede rechazar`,
  unclear: msg`Las listas pueden no reconocer un nombre: compruébalo por otro medio`,
  unavailable: msg`El control de listas de sanciones no respondió: repítelo o comprueba las listas por otro medio`,
};

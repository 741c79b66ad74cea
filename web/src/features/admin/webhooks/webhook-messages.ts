import { msg, t } from '@lingui/core/macro';
import type { DeliveryView, WebhookView } from '#core/contracts/http/webhooks';
import type { DeliveryStatus } from '#core/webhooks/events';
import { laPazTime } from '../../../lib/format/dates.ts';
import type { Tone } from '../../../ui/tone-badge.tsx';

/** What became of a delivery. */
export const deliveryLabels = {
  pending: msg`En espera`,
  delivered: msg`Entregado`,
  failed: msg`No entregado`,
  stopped: msg`Detenido`,
} as const satisfies Record<DeliveryStatus, unknown>;

export const deliveryTones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'wait',
  delivered: 'good',
  failed: 'bad',
  stopped: 'quiet',
};

/** What the last attempt brought; empty where there was none. */
export function attemptText({ error, response_status: status }: DeliveryView): string {
  if (error === 'timeout') return t`No contestó a tiempo`;
  if (error === 'connection') return t`No se pudo conectar`;
  if (error === 'address') return t`La dirección no es pública`;
  return status === null ? '' : t`Contestó ${status}`;
}

/** How an address stands, and the tone of it. */
export function standingOf({ enabled, disabled_because: because, failing_since: since }: WebhookView): [string, Tone] {
  if (!enabled) return because === 'failures' ? [t`Apagada por fallos`, 'bad'] : [t`Apagada`, 'quiet'];
  return since === null ? [t`Encendida`, 'good'] : [t`Falla`, 'wait'];
}

/** What to know of an address besides; empty where there is nothing. */
export function standingNote({ enabled, disabled_because: because, failing_since: since }: WebhookView): string {
  if (since === null) return '';
  const moment = laPazTime(since);
  if (enabled) return t`No acepta avisos desde el ${moment}. Se sigue intentando.`;
  return because === 'failures' ? t`No aceptó ningún aviso desde el ${moment}.` : '';
}

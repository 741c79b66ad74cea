import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { WorkItem } from '#core/contracts/http/queues';
import type { QueueName, RowJobName } from '#core/contracts/jobs';
import type { Tone } from '../../../ui/tone-badge.tsx';

/** What waits while a queue is paused, inside of a sentence. */
export const queueLabels: Readonly<Record<QueueName, MessageDescriptor>> = {
  'stripe-events': msg`eventos de Stripe`,
  confirmations: msg`confirmaciones de pagos`,
  screenings: msg`revisiones de nombres`,
  decisions: msg`cobros y liberaciones de tarjetas`,
  payouts: msg`pagos a familias`,
  refunds: msg`devoluciones`,
  emails: msg`correos`,
  'web-pushes': msg`notificaciones a dispositivos`,
  'partner-webhooks': msg`avisos a socios`,
  rates: msg`tasas`,
  'rate-alerts': msg`alertas de tasa`,
  reconciliation: msg`conciliación`,
  maintenance: msg`mantenimiento`,
};

/** What a job does, as a title. */
export const jobLabels: Readonly<Record<RowJobName, MessageDescriptor>> = {
  'handle-stripe-event': msg`Evento de Stripe`,
  'screen-names': msg`Revisión de nombres`,
  'check-account-name': msg`Nombre de la cuenta`,
  'run-card-operation': msg`Intento con la tarjeta`,
  'run-payout': msg`Intento de pago al banco`,
  'run-refund': msg`Intento de devolución`,
  'send-email': msg`Correo`,
  'send-web-push': msg`Notificación a un dispositivo`,
  'deliver-event': msg`Aviso a un socio`,
};

type JobState = Extract<WorkItem, { type: 'job' }>['state'];

export const jobStateLabels: Readonly<Record<JobState, { readonly label: MessageDescriptor; readonly tone: Tone }>> = {
  waiting: { label: msg`En cola`, tone: 'wait' },
  prioritized: { label: msg`En cola`, tone: 'wait' },
  'waiting-children': { label: msg`En cola`, tone: 'wait' },
  active: { label: msg`En curso`, tone: 'wait' },
  delayed: { label: msg`Programado`, tone: 'wait' },
  completed: { label: msg`Terminado`, tone: 'good' },
  failed: { label: msg`Falló`, tone: 'bad' },
  unknown: { label: msg`Sin datos`, tone: 'quiet' },
};

import type { Request, Response } from 'express';
import type { Locale } from '#core/locale/locale';
import type { Logger } from '#platform/logging';
import { answerFailure } from '../http/failure.filter.ts';
import { failureResponseOf } from '../http/failure-responses.ts';
import { toFailure } from '../http/failures.ts';
import type { CallRequest } from '../http/serve.ts';

/** Why the dashboard did not do something, as its reader sees it. Codes are stable. */
const refusals = {
  money_queue: {
    status: 403,
    es: 'En una cola que mueve dinero no se borra, vacía ni adelanta ningún trabajo, ni se limita la cola. Puedes pausarla, o reintentar un trabajo fallido.',
    en: 'Jobs of a queue that moves money cannot be deleted, drained or promoted, and the queue cannot be throttled. You can pause it, or retry a failed job.',
  },
  jobs_not_editable: {
    status: 403,
    es: 'Los trabajos y sus horarios los pone el sistema: aquí no se añaden, copian ni cambian.',
    en: 'The system adds jobs and their schedules: they cannot be added, duplicated or changed here.',
  },
  job_not_failed: {
    status: 409,
    es: 'Solo se reintenta un trabajo que falló. Este no está entre los fallidos.',
    en: 'Only a failed job can be retried, and this one has not failed.',
  },
  job_done: {
    status: 409,
    es: 'Lo que este trabajo hacía ya terminó: no queda nada que reintentar.',
    en: 'What this job was for is already done: there is nothing to retry.',
  },
  job_superseded: {
    status: 409,
    es: 'Otro trabajo más nuevo se ocupa de esto. Búscalo en la página del envío.',
    en: 'A newer job works on this. You find it on the page of the transfer.',
  },
  retry_awaits_second_person: {
    status: 409,
    es: 'Pedimos el reintento: otra persona lo tiene que aprobar en la mesa de operaciones.',
    en: 'The retry was requested: a second person has to approve it on the operations desk.',
  },
  queues_unreachable: {
    status: 503,
    es: 'Las colas no responden, y la cola sigue en pausa. Vuelve a intentarlo en un momento.',
    en: 'The queues do not answer, and the queue is still paused. Try again in a moment.',
  },
  forbidden: {
    status: 403,
    es: 'Tu rol no permite hacer esto.',
    en: 'Your role does not permit this.',
  },
  second_factor_stale: {
    status: 403,
    es: 'Esto puede mover dinero: antes confirma que eres tú. Cierra la sesión, entra otra vez y repítelo.',
    en: 'This may move money: confirm first that it is you. Sign out, sign in again and repeat it.',
  },
  own_transfer: {
    status: 403,
    es: 'Es tu propio envío: lo tiene que reintentar otra persona.',
    en: 'This is your own transfer: another person has to retry it.',
  },
  action_not_possible: {
    status: 409,
    es: 'La mesa de operaciones no ofrece reintentarlo ahora. Mira el caso del envío.',
    en: 'The operations desk does not offer a retry now. Look at the case of the transfer.',
  },
  request_pending: {
    status: 409,
    es: 'Ya hay un pedido sobre este envío que espera a una segunda persona.',
    en: 'A request about this transfer already waits for a second person.',
  },
} as const satisfies Record<string, { readonly status: number } & Record<Locale, string>>;

export type RefusalCode = keyof typeof refusals;

/** Something that the dashboard does not do. */
export class BoardRefusal extends Error {
  override readonly name = 'BoardRefusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(code);
    this.code = code;
  }
}

/** Answers a call that was not done. The dashboard shows `error` to its reader; `code` is for programs. */
export function answerRefusal(
  thrown: unknown,
  { request, response, log, language }: { request: Request; response: Response; log: Logger; language: Locale },
): void {
  const code = thrown instanceof BoardRefusal ? thrown.code : toFailure(thrown).code;
  if (code === 'internal' || code === 'unavailable') {
    answerFailure(thrown, request, response, log);
    return;
  }
  // For the line that the request log writes of it.
  response.locals.refusal = { refused: code, personId: (request as CallRequest).person?.user.id };
  const { status, message } = isRefusalCode(code)
    ? { status: refusals[code].status, message: refusals[code][language] }
    : failureResponseOf(toFailure(thrown));
  response.status(status).set('Cache-Control', 'no-store').json({ code, error: message });
}

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

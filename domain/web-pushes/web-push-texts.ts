import { transferAddress } from '#core/contracts/page-addresses';
import type { Locale } from '#core/locale/locale';
import type { StepNews } from '#core/notifications/news';
import { referenceOf } from '#core/transfers/reference';

/** Payload of a notification; web/public/push-worker.js shows it. */
export interface WebPushText {
  readonly title: string;
  readonly body: string;
  readonly lang: Locale;
  /** A notification replaces the previous one with the same tag. */
  readonly tag: string;
  /** The page it opens, on our origin. */
  readonly address: string;
  /** When it happened, in ms. */
  readonly at: number;
}

const titles: Readonly<Record<Locale, Readonly<Record<StepNews, string>>>> = {
  es: {
    question: 'Te hicimos una pregunta sobre tu envío',
    approved: 'Aprobamos tu envío',
    deposited: 'El banco confirmó el depósito',
    received: 'Tu familia ya recibió',
    rejected: 'No aprobamos tu envío',
    cancelled: 'Tu envío quedó cancelado',
    not_charged: 'Tu envío terminó sin cobro',
    account_needed: 'El banco no pudo pagar: decide tú',
    deposit_returned: 'El banco devolvió el depósito: decide tú',
    deposit_partly_returned: 'El banco devolvió una parte',
    returning: 'Tu envío no se pagó: tu dinero vuelve',
    partly_refunded: 'Te devolvimos una parte',
    refunded: 'Te devolvimos todo',
    refund_bounced: 'La devolución no llegó a tu tarjeta',
  },
  en: {
    question: 'We have a question about your transfer',
    approved: 'We approved your transfer',
    deposited: 'The bank confirmed the deposit',
    received: 'Your family has received it',
    rejected: 'We did not approve your transfer',
    cancelled: 'Your transfer was cancelled',
    not_charged: 'Your transfer ended without a charge',
    account_needed: 'The bank could not pay: you decide',
    deposit_returned: 'The bank returned the deposit: you decide',
    deposit_partly_returned: 'The bank returned a part',
    returning: 'Your transfer was not paid: your money comes back',
    partly_refunded: 'We gave you back a part',
    refunded: 'We gave you back everything',
    refund_bounced: 'The refund did not reach your card',
  },
};

const bodies: Readonly<Record<Locale, (reference: string) => string>> = {
  es: (reference) => `Envío ${reference}. Toca para verlo.`,
  en: (reference) => `Transfer ${reference}. Tap to see it.`,
};

/** A step as a text for a locked screen: no name, no amount, no bank. */
export function webPushText(
  { transferId, kind, key, createdAt }: { transferId: string; kind: StepNews; key: string; createdAt: Date },
  lang: Locale,
): WebPushText {
  return {
    title: titles[lang][kind],
    body: bodies[lang](referenceOf(transferId)),
    ...{ lang, tag: key, address: transferAddress(transferId), at: createdAt.getTime() },
  };
}

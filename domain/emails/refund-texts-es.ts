import { formats } from '#core/locale/format';
import { referenceOf } from '#core/transfers/reference';
import { returnedToCard } from '#core/transfers/refund';
import type { RefundTexts } from './email-texts.ts';

const { money, bolivianos, day, moment } = formats.es;

/** The e-mails in Spanish about refunds, and about late deposits. */
export const spanishRefundTexts: RefundTexts = {
  transfer_refunded: ({ amount, currency, returned, byBank, refundReference, at, transferId }) => {
    const [all, back] = [money(amount, currency), money(returned, currency)];
    const isWhole = returned === amount;
    return {
      subject: `Te devolvimos ${back}`,
      paragraphs: [
        ...(byBank === '0.00'
          ? [
              isWhole
                ? `Los ${back} de tu envío volvieron completos a tu tarjeta, con la comisión.`
                : `De los ${all} de tu envío volvieron ${back} a tu tarjeta.`,
            ]
          : [
              isWhole
                ? `Te devolvimos completos los ${back} de tu envío, con la comisión.`
                : `De los ${all} de tu envío te devolvimos ${back}.`,
              byBank === returned
                ? 'Los pagamos por transferencia bancaria y no a tu tarjeta.'
                : `De ello pagamos ${money(byBank, currency)} por transferencia bancaria, y ${money(returnedToCard({ returned, byBank }), currency)} volvieron a tu tarjeta.`,
              'Tu banco encuentra una transferencia bancaria por su número. Puede tardar uno o dos días hábiles en mostrarla.',
            ]),
        ...(byBank === returned ? [] : ['El banco de tu tarjeta puede tardar entre 5 y 10 días hábiles en mostrarlo.']),
      ],
      details: [
        ['Monto devuelto', back],
        ...(refundReference === null ? [] : [['Número de la transferencia bancaria', refundReference] as const]),
        ['Fecha y hora de la devolución', moment(at)],
        ['Número de tu envío', referenceOf(transferId)],
      ],
      action: 'Ver mi envío',
    };
  },
  refund_failed: ({ amount, currency, owed, transferId }) => ({
    subject: `La devolución de ${money(owed, currency)} no quedó en tu tarjeta`,
    paragraphs: [
      `Te debemos ${money(owed, currency)} de tu envío de ${money(amount, currency)}: el banco de tu tarjeta no aceptó la devolución, o nos la mandó de vuelta.`,
      'Si te escribimos que ese dinero ya estaba en tu tarjeta, este correo lo corrige. El dinero está con nosotros.',
      'Una persona de Chasqui te escribe para devolvértelo por otro medio. No tienes que hacer nada. Nunca te pedimos por correo tu contraseña ni el número de tu tarjeta.',
    ],
    details: [['Número de tu envío', referenceOf(transferId)]],
    action: 'Ver mi envío',
  }),
  payout_delayed: ({ amount, currency, bolivianos: promised, arrival, transferId }) => ({
    subject: `El depósito de ${bolivianos(promised)} a tu familia se atrasa`,
    paragraphs: [
      `Lo esperábamos para el ${day(arrival)} y nuestro banco todavía no confirmó el depósito de tu envío de ${money(amount, currency)}. El atraso es nuestro: los datos que diste no tienen nada que ver.`,
      'Tu dinero está seguro. La tasa y el monto no cambian. Si el banco no puede pagar, te devolvemos todo, con la comisión.',
      'Te escribimos apenas el banco confirme el depósito. No hagas otro envío por este.',
    ],
    details: [
      ['Llegan', bolivianos(promised)],
      ['Número de tu envío', referenceOf(transferId)],
    ],
    action: 'Ver mi envío',
  }),
};

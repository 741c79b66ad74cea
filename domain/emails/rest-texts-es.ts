import { formats } from '#core/locale/format';
import { referenceOf } from '#core/transfers/reference';
import type { RestTexts } from './email-texts.ts';

const { money, bolivianos } = formats.es;

/** The e-mails in Spanish about returned deposits. */
export const spanishRestTexts: RestTexts = {
  payout_returned_in_part: ({ returned, transferId, ...received }) => ({
    subject: `El banco devolvió ${bolivianos(returned)} de tu envío`,
    paragraphs: [
      received.arrived === '0.00'
        ? `El banco devolvió ${bolivianos(returned)} del depósito a tu familia: de los ${bolivianos(received.bolivianos)} ahora no tiene nada.`
        : `El banco devolvió ${bolivianos(returned)} del depósito a tu familia: ahora tiene ${bolivianos(received.arrived)} de los ${bolivianos(received.bolivianos)}.`,
      'Ese dinero está con nosotros y es tuyo o de tu familia. Lo volvemos a pagar o te devolvemos tu parte a la tasa de tu envío, y te escribimos en cuanto esté hecho. No tienes que hacer nada.',
    ],
    details: [
      ['Devuelto por el banco', bolivianos(returned)],
      ['Número de tu envío', referenceOf(transferId)],
    ],
    action: 'Ver mi envío',
  }),
  rest_paid: ({ paid, bank, account, reference, transferId, ...received }) => ({
    subject: `Depositamos los ${bolivianos(paid)} que faltaban`,
    paragraphs: [
      received.arrived === received.bolivianos
        ? `El banco pagó lo que había devuelto: tu familia ya tiene los ${bolivianos(received.bolivianos)} completos.`
        : `El banco pagó ${bolivianos(paid)} de lo que había devuelto: tu familia ya tiene ${bolivianos(received.arrived)} de los ${bolivianos(received.bolivianos)}.`,
    ],
    details: [
      ['Monto depositado', bolivianos(paid)],
      ['Banco o billetera', bank],
      ...(account === '' ? [] : [['Cuenta', `termina en ${account}`] as const]),
      ...(reference === null ? [] : [['Referencia del banco', reference] as const]),
      ['Número de tu envío', referenceOf(transferId)],
    ],
    action: 'Ver mi envío',
  }),
  rest_refunded: ({ refund, currency, instead, transferId, ...received }) => ({
    subject: `Te devolvimos ${money(refund, currency)} por lo que no llegó`,
    paragraphs: [
      `El banco había devuelto ${bolivianos(instead)} del depósito a tu familia, que tiene ${bolivianos(received.arrived)} de los ${bolivianos(received.bolivianos)}. A la tasa de tu envío son ${money(refund, currency)}.`,
      `Los ${money(refund, currency)} vuelven a tu tarjeta. Tu banco puede tardar entre 5 y 10 días hábiles en mostrarlo.`,
    ],
    details: [
      ['Monto devuelto', money(refund, currency)],
      ['Número de tu envío', referenceOf(transferId)],
    ],
    action: 'Ver mi envío',
  }),
};

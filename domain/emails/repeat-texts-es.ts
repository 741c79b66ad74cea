import { formats } from '#core/locale/format';
import { roundedUp } from '#core/transfers/arrival-times';
import type { EmailData } from './email-kinds.ts';
import type { RepeatTexts } from './email-texts.ts';

const { money, bolivianos, rateLine, day, moment } = formats.es;
type Reminder = EmailData<'repeat_reminder'>;

/** The reminder of a repeating transfer in Spanish. */
export const spanishRepeatTexts: RepeatTexts = {
  repeat_reminder: (data) => {
    const { problem, lapsesAt, figures } = data;
    const until = `Si esta vez no envías, no hagas nada: este recordatorio vale hasta el ${moment(lapsesAt)} y después llega el siguiente.`;
    if (problem !== null) {
      const { subject, paragraphs, action } = problemText(data);
      return {
        subject,
        paragraphs: problem === 'recipient_gone' ? paragraphs : [...paragraphs, until],
        details: figures ? details(data, figures) : [],
        action,
      };
    }
    if (!figures) throw new RangeError('a reminder without a problem has its figures');
    const often = data.every === 'month' ? 'cada mes' : 'cada dos semanas';
    const [paid, arrives] = [money(figures.amount, data.currency), bolivianos(figures.bolivianos)];
    return {
      subject: `Toca tu envío: hoy llegan ${arrives} por ${paid}`,
      paragraphs: [
        `Pediste que te lo recordemos ${often}. Con la tasa de hoy pagas ${paid}, comisión incluida, y a tu familia le llegan ${arrives}.`,
        'No se cobra nada sin ti: el enlace abre la revisión con las cifras de ese momento, y pagas solo si estás de acuerdo.',
        ...measured(data),
        until,
      ],
      details: details(data, figures),
      action: 'Revisar y pagar',
    };
  },
};

function problemText({ problem, currency, figures, availableAt }: Reminder) {
  const paid = figures && money(figures.amount, currency);
  switch (problem) {
    case 'recipient_gone':
      return {
        subject: 'Tu envío que se repite quedó en pausa: falta el destinatario',
        paragraphs: [
          'Quien lo recibía ya no está en tu lista de destinatarios. No hay a quién enviarlo, así que lo dejamos en pausa.',
          'Elige a otra persona para retomarlo, o termínalo. No se cobró nada.',
        ],
        action: 'Elegir a quién',
      };
    case 'amount_too_small':
    case 'amount_too_large':
      return {
        subject: 'Toca tu envío, pero hoy el monto no se puede enviar',
        paragraphs: [
          `Con la tasa de hoy cuesta ${paid}, ${problem === 'amount_too_small' ? 'menos de lo mínimo' : 'más de lo máximo'} por envío. Cambia el monto para que siga. No se cobró nada.`,
        ],
        action: 'Ver mi envío',
      };
    case 'day_limit_reached':
    case 'month_limit_reached':
      return {
        subject: 'Toca tu envío, pero ahora superas tu límite',
        paragraphs: [
          `Con este envío de ${paid} superas tu límite de ${problem === 'day_limit_reached' ? '24 horas' : '30 días'}. No se cobró nada.`,
          availableAt === null
            ? 'Cambia el monto: así como está no cabe en tu límite.'
            : `Podrás hacerlo desde el ${moment(availableAt)}, si antes no envías otra cosa.`,
        ],
        action: 'Ver mi envío',
      };
    default:
      return {
        subject: 'Toca tu envío, pero ahora no hay una tasa reciente',
        paragraphs: [
          `Los envíos en ${currency} están en pausa porque no tenemos una tasa reciente del mercado. No se cobró nada.`,
          'Abre el enlace más tarde: en cuanto haya una tasa verás las cifras y podrás pagar.',
        ],
        action: 'Ver mi envío',
      };
  }
}

function measured({ measured: known, bank }: Reminder): string[] {
  if (known === null || bank === null) return [];
  const length = (minutes: number) => {
    const { value, unit } = roundedUp(minutes);
    return new Intl.NumberFormat('es-BO', { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  };
  const [half, most] = [length(known.medianMinutes), length(known.ninetiethMinutes)];
  return [
    `Medido en los últimos ${known.count} envíos a ${bank}: la mitad llegó en ${half} o menos, 9 de cada 10 en ${most} o menos.`,
  ];
}

function details({ currency, bank, account }: Reminder, figures: NonNullable<Reminder['figures']>) {
  return [
    ['Llega a Bolivia', bolivianos(figures.bolivianos)],
    ['Pagas con tu tarjeta', money(figures.amount, currency)],
    ['Comisión incluida', money(figures.fee, currency)],
    ['Tasa de hoy', rateLine(figures.rate, currency)],
    ...(bank === null ? [] : [['Banco o billetera', bank] as const]),
    ...(account ? [['Cuenta', `termina en ${account}`] as const] : []),
    ['Si pagas hoy, llega hacia el', day(figures.arrival)],
  ] as const;
}

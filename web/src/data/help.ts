import { t } from '@lingui/core/macro';
import type { Company } from '#core/contracts/company';
import type { HelpContactView } from '#core/contracts/http/help';
import { type ArrivalTime, minMeasured, roundedUp } from '#core/transfers/arrival-times';
import { formatLength } from '../lib/format/numbers.ts';
import { language } from '../lib/language.ts';
import { cancelling, delivery, type HelpTopic, limits, price, recipientData, statuses } from './frequent-topics.ts';

/** Questions about one thing. */
export interface HelpSubject {
  readonly title: string;
  readonly topics: readonly HelpTopic[];
}

/** What some answers depend on; what is absent is not known yet, or not configured. */
export interface HelpFacts {
  readonly contact?: HelpContactView | undefined;
  readonly company?: Company | null;
  readonly arrival?: readonly ArrivalTime[] | undefined;
}

/** Everything the help page answers, by subject. */
export const helpSubjects = (facts: HelpFacts = {}): readonly HelpSubject[] => [
  {
    title: t`Enviar dinero`,
    topics: [
      recipientData(),
      limits(),
      { ...delivery(), answer: [...delivery().answer, ...measuredArrivals(facts.arrival)] },
      {
        id: 'bancos',
        question: t`¿A qué bancos y billeteras llega?`,
        answer: [
          t`A BNB, Mercantil Santa Cruz, BISA, BCP, Unión, Económico, Ganadero, FIE, Sol y Prodem, y a la billetera móvil Tigo Money.`,
        ],
      },
      statuses(),
      {
        id: 'seguimiento',
        question: t`¿Cómo sigue mi familia el envío?`,
        answer: [
          t`Cuando pagas, y después en el detalle del envío, «Avisar a mi familia» te da un enlace. Quien lo tiene ve cuánto llega, a qué banco y en qué paso está, sin tus datos ni el número de cuenta. Lo pasas por WhatsApp, por correo o como quieras.`,
        ],
      },
      {
        id: 'por-pagar',
        question: t`¿Qué es un envío «Por pagar»?`,
        answer: [
          t`Uno que empezaste y no pagaste. No se cobró nada y no cuenta para tus límites. Con «Pagar» lo terminas; si su tasa ya venció, antes ves los bolivianos con la de hoy. Si no haces nada, se quita solo.`,
        ],
      },
      {
        id: 'repetir',
        question: t`¿Cómo envío otra vez a la misma persona?`,
        answer: [
          t`En la lista o en el detalle de un envío elige «Repetir»: mismo monto y misma persona, con la tasa de hoy. Revisas y pagas. Para cambiar el monto, abre el envío y elige «Repetir con otro monto».`,
        ],
      },
      {
        id: 'recibo',
        question: t`¿Dónde está mi recibo?`,
        answer: [
          t`Abre el envío en tu panel: «Ver recibo» lo muestra en español y en inglés, y «Descargar el recibo (PDF)» lo guarda. Cada recibo tiene un código con el que cualquiera comprueba que es auténtico.`,
          t`En tus envíos también descargas resúmenes por mes y por año, en PDF y CSV.`,
        ],
      },
    ],
  },
  {
    title: t`Costos y tasa`,
    topics: [
      price(),
      {
        id: 'tasa',
        question: t`¿Qué tasa de cambio se usa?`,
        answer: [
          t`La que ves en el momento de pagar: queda fija para tu envío. Si cambia antes de que pagues, te mostramos el nuevo monto y decides otra vez.`,
        ],
      },
      {
        id: 'calculadora',
        question: t`¿Por qué la calculadora dice «Estimación»?`,
        answer: [
          t`Porque escribiste otra tasa para probar, o porque no había conexión y calculamos con lo último que vimos. Un envío usa siempre la tasa y la comisión que ves antes de pagar.`,
        ],
      },
      {
        id: 'comparacion',
        question: t`¿De dónde salen los precios de otros servicios?`,
        answer: [
          t`Los consultamos cada 2 horas. Cada dato dice de cuándo es. Cuando no hay uno reciente lo mostramos en gris, como valor de referencia, y no lo usamos para decir que somos mejores.`,
        ],
      },
    ],
  },
  {
    title: t`Pago y seguridad`,
    topics: [
      {
        id: 'tarjeta',
        question: t`¿Es seguro pagar con mi tarjeta?`,
        answer: [
          t`Sí. Los datos de tu tarjeta viajan cifrados y los recibe directamente el proveedor de pagos. Nosotros solo vemos la marca y los últimos cuatro dígitos.`,
        ],
      },
      {
        id: 'cobro',
        question: t`¿Cuándo se cobra mi tarjeta?`,
        answer: [
          t`Al pagar, el monto se reserva. Se cobra cuando una persona aprueba el envío. Si lo rechaza, la reserva se libera y no se cobra nada; tu banco puede tardar unos días en mostrarlo.`,
        ],
      },
      cancelling(),
      {
        id: 'devolucion',
        question: t`¿Qué pasa si el banco no puede depositar?`,
        answer: [
          t`Tu dinero queda con nosotros y te escribimos. En el envío corriges la cuenta, y el banco paga otra vez sin costo y con la misma tasa, o pides que te lo devolvamos. Si no eliges hasta la fecha que ves allí, te devolvemos todo a tu tarjeta, comisión incluida.`,
        ],
      },
      {
        id: 'reembolso',
        question: t`¿Cuánto tarda un reembolso?`,
        answer: [
          t`Si el envío todavía no se cobró, liberamos la reserva y no hay nada que devolver: tu banco puede tardar unos días en quitarla de tus movimientos.`,
          t`Si ya se cobró, el dinero vuelve a la misma tarjeta. Lo pedimos en cuanto se cancela el envío; el banco de tu tarjeta suele mostrarlo entre 5 y 10 días hábiles después. En el envío ves cuándo salió.`,
        ],
      },
      {
        id: 'problema',
        question: t`¿Cómo reclamo si algo salió mal?`,
        answer: [
          t`Abre el envío y elige «Reportar un problema»: dices qué pasó y qué quieres que hagamos, y puedes añadir fotos o documentos. Lo investiga una persona y ves cómo avanza.`,
          t`Si pagaste en dólares tienes 180 días para reportarlo, lo investigamos en 90 como máximo y te contamos el resultado en los 3 días hábiles siguientes. Si pagaste en euros, respondemos en 15 días hábiles. El recibo dice a qué autoridades puedes acudir además.`,
        ],
      },
      {
        id: 'fraude',
        question: t`¿Y si sospecho de una estafa?`,
        answer: [
          t`Envía dinero solo a personas que conoces. Nunca te pediremos tu contraseña ni los números de tu tarjeta. Si ya pagaste y sospechas, cancela el envío en seguida, mientras se pueda, y repórtalo desde su detalle. Si fue tu tarjeta la que usó otra persona, avisa también a tu banco.`,
        ],
      },
      whoRunsIt(facts.company),
    ],
  },
  {
    title: t`Tu cuenta`,
    topics: [
      {
        id: 'registro',
        question: t`¿Quién puede usar Chasqui?`,
        answer: [
          t`Personas de 18 años o más con datos verdaderos. Registrarte toma menos de 2 minutos; la fecha de nacimiento te la pedimos con tu primer envío.`,
        ],
      },
      {
        id: 'contrasena',
        question: t`Olvidé mi contraseña`,
        answer: [
          t`En Iniciar Sesión elige «¿Olvidaste tu contraseña?» y te enviamos un enlace a tu correo. Si no llega, mira también en correo no deseado.`,
        ],
      },
      {
        id: 'correo',
        question: t`¿Cómo cambio el correo de mi cuenta?`,
        answer: [
          t`En «Mi cuenta», «Correo de la cuenta», escribes la dirección nueva y tu contraseña. Cambia cuando abres el enlace que llega a la dirección nueva. A la de antes le avisamos; si no fuiste tú, desde allí nos lo dices o recuperas la cuenta.`,
        ],
      },
      {
        id: 'documentos',
        question: t`¿Me van a pedir documentos?`,
        answer: [
          t`Para registrarte y para montos pequeños, no. Para enviar más te pedimos tus datos de identidad, y para lo más alto una foto de tu documento: en «Mi cuenta», «Límites», ves cuánto puedes enviar con cada paso.`,
          t`Si al revisar un envío nos falta algo, te preguntamos en ese mismo envío y te avisamos por correo; allí respondes y, si hace falta, añades archivos.`,
        ],
      },
      {
        id: 'avisos',
        question: t`¿Cómo me entero de lo que pasa con mi envío?`,
        answer: [
          t`Con Chasqui abierto lo ves al momento en cualquier página, y la campana guarda las novedades. Además te escribimos un correo en cada paso; en «Mi cuenta» eliges cuáles no quieres.`,
        ],
      },
      {
        id: 'cerrar',
        question: t`¿Cómo cierro mi cuenta o descargo mis datos?`,
        answer: [
          t`En «Mi cuenta» descargas todo lo que guardamos de ti y, al final de la página, cierras la cuenta. Se borran tus destinatarios, alertas y datos de contacto; los envíos se guardan por el tiempo que pide la ley. No se puede cerrar con un envío en curso o un problema sin resolver.`,
        ],
      },
      contacting(facts.contact),
      {
        id: 'asesoria',
        question: t`¿La asesoría tiene costo?`,
        answer: [t`No. Escríbenos y te ayudamos a elegir cómo enviar, sin compromiso.`],
      },
    ],
  },
];

/** How soon the last payments arrived, of the three banks of which most are known. */
function measuredArrivals(times: readonly ArrivalTime[] = []): string[] {
  const known = times.filter(({ quarter, count }) => quarter === null && count >= minMeasured);
  const said = (minutes: number) => {
    const { value, unit } = roundedUp(minutes);
    return formatLength(value, unit);
  };
  return known
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 3)
    .map(({ bank, count, medianMinutes, ninetiethMinutes }) => {
      const [half, most] = [said(medianMinutes), said(ninetiethMinutes)];
      return t`Medido en los últimos ${count} envíos a ${bank}: la mitad llegó en ${half} o menos, 9 de cada 10 en ${most} o menos.`;
    });
}

/** What is configured, and nothing else: a licence is never made up. */
function whoRunsIt(company: Company | null = null): HelpTopic {
  const { name, address, license, regulator, funds } = company ?? {};
  return {
    id: 'empresa',
    question: t`¿Quién está detrás y cómo protegen mi dinero?`,
    answer: [
      ...(company?.isDemonstration ? [t`Modo de demostración: aquí no se cobra ninguna tarjeta.`] : []),
      ...(name ? [[name, address].filter(Boolean).join(' · ')] : []),
      ...(license ? [t`Licencia: ${license}.`] : []),
      ...(regulator ? [t`Supervisa: ${regulator}.`] : []),
      ...(funds ? [funds[language()]] : []),
      t`Tu tarjeta se cobra solo cuando una persona aprobó el envío. Lo que se cobra y no llega se devuelve completo.`,
    ],
  };
}

/** The ways that are configured, and the one that always exists. */
function contacting(contact?: HelpContactView): HelpTopic {
  const { whatsapp, email } = contact ?? {};
  return {
    id: 'contacto',
    question: t`¿Cómo hablo con una persona?`,
    answer: [
      ...(whatsapp ? [t`Por WhatsApp: +${whatsapp}.`] : []),
      ...(email ? [t`Por correo: ${email}.`] : []),
      t`Sobre un envío, desde su detalle: allí el mensaje lleva ya su referencia, y con «Reportar un problema» ves cómo avanza la respuesta.`,
    ],
  };
}

/** Other words for the same, in both languages: people search with their own. */
const otherWords: Readonly<Record<string, string>> = {
  destinatario: 'beneficiario familia documento carnet beneficiary family id card document',
  limites: 'máximo mínimo tope monto maximum minimum amount limit',
  entrega: 'cuánto tarda demora tiempo plazo días horas how long does it take arrive arrival delivery time fast',
  bancos: 'cuenta depósito transferencia bank account deposit wallet',
  estados: 'pendiente revisión seguimiento pending status review',
  seguimiento: 'rastrear rastreo compartir link track tracking share follow whatsapp',
  'por-pagar': 'borrador pendiente sin pagar incompleto draft unpaid pending unfinished',
  repetir: 'de nuevo otra vez volver reenviar pagar again repeat resend',
  recibo: 'comprobante factura constancia descargar pdf resumen extracto receipt invoice statement proof download',
  comision: 'precio costo tarifa cobran fee price cost charge cheap',
  tasa: 'cambio cotización dólar euro exchange rate',
  calculadora: 'estimación simulador calculator estimate',
  comparacion: 'competencia wise remitly western union comparar compare competitors',
  tarjeta: 'visa mastercard débito crédito seguridad datos card secure security debit credit',
  cobro: 'cargo cobrado retención reserva charged hold pending when',
  cancelar: 'anular deshacer arrepentirse cancel undo stop',
  devolucion: 'rechazado rebotado devuelto cuenta equivocada returned rejected wrong account',
  reembolso: 'devolver devolución devuelven dinero plata cuándo refund refunds money back return',
  problema: 'reclamo queja error derechos no llegó cobraron dos veces complaint claim problem rights missing wrong',
  fraude: 'estafa robo phishing seguridad fraud scam stolen safe',
  empresa:
    'licencia regulador seguro confiable dirección dueño legal license regulator company address safe trust funds',
  registro: 'crear cuenta inscribirse edad sign up register account age who',
  contrasena: 'clave password recuperar entrar acceso forgot reset sign in login',
  correo: 'cambiar email dirección mail change address e-mail',
  documentos: 'pasaporte identidad verificación kyc passport identity verification documents',
  avisos: 'notificaciones correos alertas email notifications alerts',
  cerrar: 'borrar eliminar cuenta datos descargar privacidad delete close account data export privacy',
  contacto: 'soporte ayuda chat teléfono llamar correo email whatsapp support help phone call person contact',
  asesoria: 'consejo gratis advice free',
};

/** Lower case without accents. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Words that say nothing of what is asked. */
const fillers = new Set(
  'a al como con cual de del donde el en es esta este hay la las lo los me mi mis no o para por puedo que se si su sus te tu un una y ya an and can do does for how i in is it my of on or the to what where with'.split(
    ' ',
  ),
);

/**
 * The subjects with the questions in which every word of the search begins a word of question, answer or `otherWords`, whatever their
 * accents and case. Endings of plurals and verbs do not count ("reembolsos", "llegar"). All for an empty search.
 */
export function searchHelp(search: string, subjects: readonly HelpSubject[] = helpSubjects()): readonly HelpSubject[] {
  const words = wordsOf(search);
  const telling = words.filter((word) => !fillers.has(word));
  const terms = (telling.length > 0 ? telling : words).map((word) =>
    word.length > 4 ? word.replace(/(e?s|r)$/, '') : word,
  );
  return subjects.flatMap((subject) => {
    const topics = subject.topics.filter(({ id, question, answer }) => {
      const text = ` ${wordsOf([subject.title, question, ...answer, otherWords[id] ?? ''].join(' ')).join(' ')}`;
      return terms.every((term) => text.includes(` ${term}`));
    });
    return topics.length > 0 ? [{ ...subject, topics }] : [];
  });
}

const wordsOf = (text: string) => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/http.ts';
import { cancelling, delivery, type HelpTopic, limits, price, recipientData, statuses } from './frequent-topics.ts';
import { helpKeys } from './query-keys.ts';

/** Questions about one thing. */
export interface HelpSubject {
  readonly title: string;
  readonly topics: readonly HelpTopic[];
}

/** Everything the help page answers, by subject. */
export const helpSubjects = (): readonly HelpSubject[] => [
  {
    title: t`Enviar dinero`,
    topics: [
      recipientData(),
      limits(),
      delivery(),
      {
        id: 'bancos',
        question: t`¿A qué bancos y billeteras llega?`,
        answer: [
          t`A BNB, Mercantil Santa Cruz, BISA, BCP, Unión, Económico, Ganadero, FIE, Sol y Prodem, y a la billetera móvil Tigo Money.`,
        ],
      },
      statuses(),
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
        answer: [t`Te devolvemos todo a tu tarjeta, comisión incluida, y lo ves en tu panel.`],
      },
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
        id: 'asesoria',
        question: t`¿La asesoría tiene costo?`,
        answer: [t`No. Escríbenos y te ayudamos a elegir cómo enviar, sin compromiso.`],
      },
    ],
  },
];

/** Lower case without accents, so that "cuanto" finds "¿Cuánto…?". */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** The subjects with the questions in which every word of the search stands, in question or answer. All for an empty one. */
export function searchHelp(search: string, subjects: readonly HelpSubject[] = helpSubjects()): readonly HelpSubject[] {
  const terms = plain(search).split(/\s+/).filter(Boolean);
  return subjects.flatMap((subject) => {
    const topics = subject.topics.filter(({ question, answer }) => {
      const text = plain([subject.title, question, ...answer].join(' '));
      return terms.every((word) => text.includes(word));
    });
    return topics.length > 0 ? [{ ...subject, topics }] : [];
  });
}

/** How to reach a person of ours. */
export const contactQuery = queryOptions({
  queryKey: helpKeys.contact,
  queryFn: ({ signal }) => call('helpContact', { signal }),
});

/** A question people ask, and what we really do. */
export interface HelpTopic {
  readonly id: string;
  readonly question: string;
  /** Paragraphs. */
  readonly answer: readonly string[];
}

/** Questions about one thing. */
export interface HelpSubject {
  readonly title: string;
  readonly topics: readonly HelpTopic[];
}

const recipientData: HelpTopic = {
  id: 'destinatario',
  question: '¿Qué datos necesito de quien recibe?',
  answer: [
    'Nombre completo, cédula de identidad (CI), número de cuenta bancaria, nombre del banco, teléfono, dirección y ciudad. También puedes decir qué relación tiene contigo.',
    'Los escribes una sola vez: quedan guardados en Mis Destinatarios.',
  ],
};
const statuses: HelpTopic = {
  id: 'estados',
  question: '¿Qué significan los estados de una transferencia?',
  answer: [
    '«Procesando» (en tu panel, EN PROCESO): el monto está reservado en tu tarjeta y una persona revisa el envío, o el dinero ya va camino al banco.',
    '«Completada» (en tu panel, Completado): los bolivianos ya están depositados. Los estados cambian solos, sin recargar.',
  ],
};
const cancelling: HelpTopic = {
  id: 'cancelar',
  question: '¿Puedo cancelar una transferencia?',
  answer: [
    'Sí, sin costo, mientras está en revisión, y durante los 30 minutos después de pagar si el banco todavía no lo está depositando. Abre el envío en tu panel y elige «Cancelar envío»: te devolvemos todo, comisión incluida.',
    'Una transferencia «Completada» ya no se puede cancelar: el dinero está en la cuenta de quien recibe.',
  ],
};
const limits: HelpTopic = {
  id: 'limites',
  question: '¿Cuánto puedo enviar?',
  answer: [
    'Mínimo $10 USD y máximo $3.000 USD por transferencia, o su equivalente en euros. También hay un límite por día y por mes; si lo alcanzas, te lo decimos antes de pagar.',
  ],
};
const price: HelpTopic = {
  id: 'comision',
  question: '¿Cuánto cuesta enviar?',
  answer: [
    'Hay una sola comisión. La ves en la calculadora y antes de pagar, junto con la tasa y los bolivianos exactos que llegan. Lo que ves es lo que pagas.',
  ],
};
const delivery: HelpTopic = {
  id: 'entrega',
  question: '¿Cuándo llega el dinero?',
  answer: [
    'Antes de pagar ves el día estimado de llegada, contado en días hábiles de Bolivia. Después sigues tu envío en vivo hasta que se deposita.',
  ],
};

/** Everything the help page answers, by subject. */
export const helpSubjects: readonly HelpSubject[] = [
  {
    title: 'Enviar dinero',
    topics: [
      recipientData,
      limits,
      delivery,
      {
        id: 'bancos',
        question: '¿A qué bancos y billeteras llega?',
        answer: [
          'A BNB, Mercantil Santa Cruz, BISA, BCP, Unión, Económico, Ganadero, FIE, Sol y Prodem, y a la billetera móvil Tigo Money.',
        ],
      },
      statuses,
    ],
  },
  {
    title: 'Costos y tasa',
    topics: [
      price,
      {
        id: 'tasa',
        question: '¿Qué tasa de cambio se usa?',
        answer: [
          'La que ves en el momento de pagar: queda fija para tu envío. Si cambia antes de que pagues, te mostramos el nuevo monto y decides otra vez.',
        ],
      },
      {
        id: 'calculadora',
        question: '¿Por qué la calculadora dice «Estimación»?',
        answer: [
          'Porque escribiste otra tasa para probar, o porque no había conexión y calculamos con lo último que vimos. Un envío usa siempre la tasa y la comisión que ves antes de pagar.',
        ],
      },
      {
        id: 'comparacion',
        question: '¿De dónde salen los precios de otros servicios?',
        answer: [
          'Los consultamos cada 2 horas. Cada dato dice de cuándo es. Cuando no hay uno reciente lo mostramos en gris, como valor de referencia, y no lo usamos para decir que somos mejores.',
        ],
      },
    ],
  },
  {
    title: 'Pago y seguridad',
    topics: [
      {
        id: 'tarjeta',
        question: '¿Es seguro pagar con mi tarjeta?',
        answer: [
          'Sí. Los datos de tu tarjeta viajan cifrados y los recibe directamente el proveedor de pagos. Nosotros solo vemos la marca y los últimos cuatro dígitos.',
        ],
      },
      {
        id: 'cobro',
        question: '¿Cuándo se cobra mi tarjeta?',
        answer: [
          'Al pagar, el monto se reserva. Se cobra cuando una persona aprueba el envío. Si lo rechaza, la reserva se libera y no se cobra nada; tu banco puede tardar unos días en mostrarlo.',
        ],
      },
      cancelling,
      {
        id: 'devolucion',
        question: '¿Qué pasa si el banco no puede depositar?',
        answer: ['Te devolvemos todo a tu tarjeta, comisión incluida, y lo ves en tu panel.'],
      },
    ],
  },
  {
    title: 'Tu cuenta',
    topics: [
      {
        id: 'registro',
        question: '¿Quién puede usar Chasqui?',
        answer: [
          'Personas de 18 años o más con datos verdaderos. Registrarte toma menos de 2 minutos; la fecha de nacimiento te la pedimos con tu primer envío.',
        ],
      },
      {
        id: 'contrasena',
        question: 'Olvidé mi contraseña',
        answer: [
          'En Iniciar Sesión elige «¿Olvidaste tu contraseña?» y te enviamos un enlace a tu correo. Si no llega, mira también en correo no deseado.',
        ],
      },
      {
        id: 'asesoria',
        question: '¿La asesoría tiene costo?',
        answer: ['No. Escríbenos y te ayudamos a elegir cómo enviar, sin compromiso.'],
      },
    ],
  },
];

/** The questions of the landing pages. */
export const frequentTopics: readonly HelpTopic[] = [recipientData, statuses, cancelling, limits, price, delivery];

/** Lower case without accents, so that "cuanto" finds "¿Cuánto…?". */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** The subjects with the questions in which every word of the search stands, in question or answer. All for an empty one. */
export function searchHelp(search: string, subjects: readonly HelpSubject[] = helpSubjects): readonly HelpSubject[] {
  const terms = plain(search).split(/\s+/).filter(Boolean);
  return subjects.flatMap((subject) => {
    const topics = subject.topics.filter(({ question, answer }) => {
      const text = plain([subject.title, question, ...answer].join(' '));
      return terms.every((word) => text.includes(word));
    });
    return topics.length > 0 ? [{ ...subject, topics }] : [];
  });
}

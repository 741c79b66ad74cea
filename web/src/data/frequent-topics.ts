import { t } from '@lingui/core/macro';
/** A question people ask, and what we really do. */
export interface HelpTopic {
  readonly id: string;
  readonly question: string;
  /** Paragraphs. */
  readonly answer: readonly string[];
}

export const recipientData = (): HelpTopic => ({
  id: 'destinatario',
  question: t`¿Qué datos necesito de quien recibe?`,
  answer: [
    t`Nombre completo, cédula de identidad (CI), número de cuenta bancaria, nombre del banco, teléfono, dirección y ciudad. También puedes decir qué relación tiene contigo.`,
    t`Los escribes una sola vez: quedan guardados en Mis Destinatarios.`,
  ],
});
export const statuses = (): HelpTopic => ({
  id: 'estados',
  question: t`¿Qué significan los estados de una transferencia?`,
  answer: [
    t`«Procesando» (en tu panel, EN PROCESO): el monto está reservado en tu tarjeta y una persona revisa el envío, o el dinero ya va camino al banco.`,
    t`«Completada» (en tu panel, Completado): los bolivianos ya están depositados. Los estados cambian solos, sin recargar.`,
  ],
});
export const cancelling = (): HelpTopic => ({
  id: 'cancelar',
  question: t`¿Puedo cancelar una transferencia?`,
  answer: [
    t`Sí, sin costo, mientras está en revisión, y durante los 30 minutos después de pagar si el banco todavía no lo está depositando. Abre el envío en tu panel y elige «Cancelar envío»: te devolvemos todo, comisión incluida.`,
    t`Una transferencia «Completada» ya no se puede cancelar: el dinero está en la cuenta de quien recibe.`,
  ],
});
export const limits = (): HelpTopic => ({
  id: 'limites',
  question: t`¿Cuánto puedo enviar?`,
  answer: [
    t`Mínimo $10 USD y máximo $3.000 USD por transferencia, o su equivalente en euros. También hay un límite por día y por mes; si lo alcanzas, te lo decimos antes de pagar.`,
  ],
});
export const price = (): HelpTopic => ({
  id: 'comision',
  question: t`¿Cuánto cuesta enviar?`,
  answer: [
    t`Hay una sola comisión. La ves en la calculadora y antes de pagar, junto con la tasa y los bolivianos exactos que llegan. Lo que ves es lo que pagas.`,
  ],
});
export const delivery = (): HelpTopic => ({
  id: 'entrega',
  question: t`¿Cuándo llega el dinero?`,
  answer: [
    t`Antes de pagar ves el día estimado de llegada, contado en días hábiles de Bolivia. Después sigues tu envío en vivo hasta que se deposita.`,
  ],
});

/** The questions of the landing pages. */
export const frequentTopics = (): readonly HelpTopic[] => [
  recipientData(),
  statuses(),
  cancelling(),
  limits(),
  price(),
  delivery(),
];

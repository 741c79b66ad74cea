/**
 * Spanish messages for fields that only the server can check, by code. Separate from `fieldSentences` so that pages
 * load them after the start.
 */
export const refusedFieldSentences = {
  password_breached: 'Es una contraseña muy conocida. Elige otra, por ejemplo varias palabras.',
  password_personal: 'Es casi solo tu nombre, tu correo o «chasqui». Añade otras palabras.',
  webhooks_too_many: 'Ya hay tantas direcciones como puede haber',
  proof_too_large: 'El archivo puede tener 2 MB como máximo',
  proof_unreadable: 'El archivo no es un PDF, PNG o JPEG que se pueda leer',
  proof_infected: 'El antivirus encontró algo peligroso en este archivo. Envía otro.',
  activation_out_of_range: 'Elige una hora futura, como máximo dentro de 30 días',
  start_out_of_range: 'Elige un día de los próximos 60',
  idempotency_key_malformed: 'Usa entre 1 y 255 letras, números o signos, sin espacios',
  page_gone: 'Esta página ya no existe. Vuelve al principio de la lista.',
} as const;
export type RefusedFieldCode = keyof typeof refusedFieldSentences;

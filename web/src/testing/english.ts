import { expect } from 'vitest';
import { banks, wallets } from '#core/recipients/banks';
import { languageTag, loadEnglish, showLanguage } from '../lib/language.ts';

/** Shows English to a component test, for which it is called before anything is rendered. The next test is in Spanish again. */
export async function showEnglish(): Promise<void> {
  showLanguage('en', await loadEnglish('all'));
  document.documentElement.lang = languageTag();
}

/** Spanish words without accents that no English sentence of ours has. */
const words = [
  'al|como|con|cuando|de|del|desde|donde|el|en|es|esta|este|hace|hasta|la|las|lo|los|mi|mis|muy|para|pero|por|que|se|si|sin|su|sus',
  'te|tu|tus|un|una|ya|y|acciones|ahora|ayuda|banco|bancos|borrar|buscar|cambio|cancelado|cancelar|cargando|cerrar|ciudad|cobro',
  'completado|confirmar|continuar|correo|cuenta|cuentas|datos|destinatario|destinatarios|detalles|devuelto|dinero|editar|elegir|elige',
  'enviado|enviar|escribe|estado|fecha|guardar|guardando|hola|hora|hoy|inicio|intenta|llega|llegan|llegar|margen|mercado',
  'monto|motivo|nombre|nuevo|otra|otro|pagar|pagas|pagaste|pago|precio|quitar|recibe|recibo|rechazado|referencia|reintentar|remitente',
  'reserva|tarjeta|tasa|tasas|todos|transacciones|transferencia|vencido|volver|lunes|martes|jueves|viernes|domingo|enero|febrero',
  'marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|ene|abr|dic',
].join('|');
/** Spanish words, letters and signs, and figures and dates as Spanish writes them. */
const spanish = new RegExp(
  `[¿¡«»áéíóúüñÁÉÍÓÚÜÑ]|(?<![\\p{L}\\d])(?:${words}|Bs)(?![\\p{L}\\d])|\\d,\\d{1,2}(?!\\d)|\\d\\s%|\\b\\d\\d/\\d\\d/\\d{4}\\b`,
  'iu',
);
/** Proper names that every reader sees as they are. */
const properNames = [...banks, ...wallets, 'La Paz', 'El Alto', 'Santa Cruz'];

/** Whether a text shows anything of Spanish besides proper names and `names`. */
export function isSpanish(text: string, names: readonly string[] = []): boolean {
  const longestFirst = [...properNames, ...names].toSorted((one, other) => other.length - one.length);
  return spanish.test(longestFirst.reduce((left, name) => left.replaceAll(name, ''), text));
}

const spokenAttributes = ['aria-label', 'aria-description', 'placeholder', 'title', 'alt'];

/**
 * Asserts that the page as it is, dialogs and what only screen readers say included, has no Spanish in it and no figures as Spanish
 * writes them. `names` are the test's own data that may be Spanish: names of people, addresses. What is marked as Spanish by `lang` may be.
 */
export function expectEnglishOnly(...names: string[]): void {
  const texts: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('script, style, body [lang^=es]')) continue;
    for (const attribute of spokenAttributes) texts.push(element.getAttribute(attribute) ?? '');
    for (const node of element.childNodes) if (node instanceof Text) texts.push(node.data);
  }
  expect(texts.some((text) => /\p{L}/u.test(text))).toBe(true);
  expect(texts.filter((text) => isSpanish(text, names))).toEqual([]);
}

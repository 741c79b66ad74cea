import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What the contracts (core/contracts) say of a wrong field. They are shared with the server and speak Spanish. */
const texts = [
  msg`Hay caracteres que no se pueden usar`,
  msg`Escribe el nombre con letras`,
  msg`Escribe solo el nombre, sin enlaces ni los signos / y @`,
  msg`Nombre requerido`,
  msg`Nombre debe tener al menos 2 caracteres`,
  msg`Correo electrónico requerido`,
  msg`Correo electrónico inválido`,
  msg`Contraseña requerida`,
  msg`La contraseña debe tener al menos 8 caracteres`,
  msg`Debes aceptar los términos y condiciones para continuar`,
];
// A built page has them compiled, as lists with one part.
const byText = new Map(texts.map((text) => [String(text.message), text]));

/** A message of a contract in the language of the page; as it is where it is unknown. */
export function fieldMessage(message: string): string {
  const [, length] = /^Usa como máximo (\d+) caracteres$/.exec(message) ?? [];
  if (length) return i18n._(msg`Usa como máximo ${length} caracteres`);
  const text = byText.get(message);
  return text ? i18n._(text) : message;
}

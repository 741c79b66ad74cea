import { expect, test } from 'vitest';
import { currencyOf } from './usual-currency.ts';

test.each([
  ['Europe/Madrid', 'es-BO', 'EUR'],
  ['Atlantic/Canary', 'es-ES', 'EUR'],
  ['Europe/Rome', 'it', 'EUR'],
  ['Europe/London', 'es-ES', 'USD'],
  ['America/New_York', 'es-ES', 'USD'],
  ['America/Argentina/Buenos_Aires', 'es-AR', 'USD'],
  ['America/La_Paz', 'es-BO', 'USD'],
  ['UTC', 'es-ES', 'EUR'],
  ['Etc/GMT-1', 'de-DE', 'EUR'],
  ['UTC', 'es-BO', 'USD'],
  ['UTC', 'es', 'USD'],
  [undefined, 'fr-FR', 'EUR'],
  [undefined, 'not a language', 'USD'],
])('a browser in the time zone %s that speaks %s pays in %s', (timeZone, language, currency) => {
  expect(currencyOf(timeZone, language)).toBe(currency);
});

import { expect, test } from 'vitest';
import { isSpanish } from './english.ts';

test.each([
  'Añadir',
  'Tu panel',
  'Cargando…',
  'Comprobando de nuevo',
  '1 EUR = 13.38 Bs',
  '96,50 EUR',
  '3.50 %',
  '20/11/2026',
  '20 nov de 2026',
  'EN PROCESO',
  'Banco de la Gente',
])('the text "%s" counts as Spanish', (text) => expect(isSpanish(text)).toBe(true));

test.each([
  'Send money now',
  '1 EUR = 13.38 BOB',
  'EUR 1,096.50',
  '3.50%',
  'set 2 d ago',
  'Nov 20, 2026, 10:00 AM',
  'IN PROGRESS',
  'Banco Unión, La Paz',
  'Transfer to José de la Fuente',
])('the text "%s" does not count as Spanish', (text) => expect(isSpanish(text, ['José de la Fuente'])).toBe(false));

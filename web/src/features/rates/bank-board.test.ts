import { expect, test } from 'vitest';
import { bankName } from './bank-board.tsx';

test.each([
  ['BANCO UNIÓN', 'Banco Unión'],
  ['BANCO NACIONAL DE BOLIVIA', 'Banco Nacional de Bolivia'],
  ['BANCO DE CRÉDITO DE BOLIVIA S.A.', 'Banco de Crédito de Bolivia S.A.'],
  ['BANCO BISA', 'Banco BISA'],
  ['  BANCO  FIE ', 'Banco FIE'],
  ['BANCO PYME DE LA COMUNIDAD', 'Banco PYME de la Comunidad'],
])('the bank name %s is written %s', (published, name) => expect(bankName(published)).toBe(name));

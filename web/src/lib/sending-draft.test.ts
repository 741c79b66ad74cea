import { expect, it } from 'vitest';
import { plain } from '../testing/plain.ts';
import { amountProblem } from './sending-draft.ts';

it.each([
  ['', '3000.00', null],
  ['9.99', '3000.00', 'El monto mínimo para enviar es de 10 USD/EUR'],
  ['10', '3000.00', null],
  ['3000.00', '3000.00', null],
  ['3000.01', '3000.00', 'El monto máximo por envío es de $ 3.000,00.'],
  ['3000.01', null, null],
  ['1.234', '3000.00', 'Escribe un monto válido, por ejemplo 100 o 99,50'],
])('an amount of %j, of at most %j, has the expected problem or none', (amount, maximum, problem) => {
  expect(plain(amountProblem(amount, 'USD', maximum))).toBe(problem);
});

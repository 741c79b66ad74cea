import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecipientQr } from './qr.ts';

const emv = '00020101021126330014bo.example.pay0111700000000015204000053030685802BO5912Juana Mamani6006La Paz6304';
const fields = (text: string) => {
  const read = readRecipientQr(text);
  return read.kind === 'fields' ? read.fields : read.kind;
};

test.each([
  [
    'Nombre: Juana Mamani Quispe\nBanco: BNB\nNro. de cuenta: 1000-123456\nCI: 4567890 LP',
    {
      name: 'Juana Mamani Quispe',
      bankName: 'Banco Nacional de Bolivia (BNB)',
      bankAccount: '1000-123456',
      ci: '4567890 LP',
    },
  ],
  [
    '{"titular":"Juana Mamani","nombreBanco":"Banco Mercantil Santa Cruz S.A.","numeroCuenta":4010123456}',
    { name: 'Juana Mamani', bankName: 'Banco Mercantil Santa Cruz', bankAccount: '4010123456' },
  ],
  ['Titular: Rosa Choque|Banco: Banco Sol S.A.|Cuenta: 123456', { name: 'Rosa Choque', bankAccount: '123456' }],
  ['Banco: BANCO SOL', { bankName: 'BancoSol' }],
  [
    'Titular: Rosa Choque; Entidad: Tigo Money; Celular: 71234567',
    { name: 'Rosa Choque', bankName: 'Tigo Money', phone: '71234567' },
  ],
  // Omits values that the form would reject: an account with letters, an ambiguous bank.
  ['Nombre: Rosa\nCuenta: IBAN12\nBanco: Unión o BISA', { name: 'Rosa' }],
])('a text that names its parts fills them in: %s', (text, expected) => {
  expect(fields(text)).toEqual(expected);
});

test.each([
  ['the encrypted code of the banks', `${'aZ09+/'.repeat(20)}==|50fdf5a1a6f1`, 'bank_only'],
  ['an address', 'https://example.com/pay?account=1234567890123456789012345678901234567890', 'other'],
  ['nothing', '  ', 'other'],
  ['a number', '1234567', 'other'],
])('%s tells no account', (_what, text, kind) => {
  expect(fields(text)).toBe(kind);
});

/** CRC-16/CCITT-FALSE by its definition, a polynomial division of the bits. */
function crcOf(text: string): string {
  const bits = [...new TextEncoder().encode(text)].flatMap((byte) =>
    [...byte.toString(2).padStart(8, '0')].map(Number),
  );
  const all = [...bits, ...Array<number>(16).fill(0)].map((bit, index) => (index < 16 ? bit ^ 1 : bit));
  const polynomial = [...(0x11021).toString(2)].map(Number);
  for (let at = 0; at < bits.length; at += 1) {
    if (all[at] === 1) for (const [index, bit] of polynomial.entries()) all[at + index] = (all[at + index] ?? 0) ^ bit;
  }
  return Number.parseInt(all.slice(-16).join(''), 2).toString(16).toUpperCase().padStart(4, '0');
}

test('the check sum is that of the standard', () => {
  // The check value of CRC-16/CCITT-FALSE.
  expect(crcOf('123456789')).toBe('29B1');
});

test('a payment code gives the name and city, and never takes a scheme’s own number for an account', () => {
  expect(fields(emv + crcOf(emv))).toEqual({ name: 'Juana Mamani', city: 'La Paz' });
});

test.each([
  ['a wrong check sum', `${emv}0000`],
  ['no check sum', emv.slice(0, -4)],
  ['a length beyond the end', '0002010102115999Juana'],
])('a payment code with %s fills nothing in', (_what, text) => {
  expect(fields(text)).toBe('other');
});

test('a payment code of another country fills nothing in', () => {
  const peru = emv.replace('5802BO', '5802PE');
  expect(fields(peru + crcOf(peru))).toBe('other');
});

test('whatever a code holds, reading it ends with an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0125689BO:=|;{}"\n áx') }), (text) => {
      expect(['fields', 'bank_only', 'other']).toContain(readRecipientQr(text).kind);
      expect(['fields', 'bank_only', 'other']).toContain(readRecipientQr(`000201${text}`).kind);
    }),
  );
});

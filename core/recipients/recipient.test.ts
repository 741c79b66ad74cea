import { describe, expect, test } from 'vitest';
import { type RecipientInput, recipientInput } from './recipient.ts';

const rosa: RecipientInput = {
  name: 'Rosa Mamani',
  email: 'rosa@chasqui.test',
  phone: '+591 71234567',
  ci: '4567890 LP',
  bankName: 'Banco Unión',
  bankAccount: '10000012345678',
  address: 'Av. Buenos Aires 1450',
  city: 'La Paz',
  relationship: 'Mamá',
};

/** The first message each wrong field gets: the one a form shows. */
function complaints(input: unknown): Record<string, string> {
  const messages: Record<string, string> = {};
  for (const { path, message } of recipientInput.safeParse(input).error?.issues ?? []) {
    messages[path.join('.')] ??= message;
  }
  return messages;
}

// Verbatim from the specification, section 5.
const rules = [
  { field: 'name', least: 2, most: 100, digit: 'a', message: 'Nombre debe tener al menos 2 caracteres' },
  { field: 'phone', least: 8, most: 20, digit: '7', message: 'Número de teléfono debe tener al menos 8 caracteres' },
  { field: 'ci', least: 5, most: 20, digit: '4', message: 'Número de CI debe tener al menos 5 caracteres' },
  { field: 'bankName', least: 2, most: 80, digit: 'B', message: 'Banco de destino es requerido' },
  {
    field: 'bankAccount',
    least: 5,
    most: 30,
    digit: '1',
    message: 'Número de cuenta bancaria debe tener al menos 5 caracteres',
  },
  { field: 'address', least: 5, most: 200, digit: 'c', message: 'Dirección debe tener al menos 5 caracteres' },
  { field: 'city', least: 2, most: 80, digit: 'L', message: 'Ciudad es requerida' },
] as const;

describe.each(rules)('$field', ({ field, least, most, digit, message }) => {
  const withLength = (length: number) => ({ ...rosa, [field]: digit.repeat(length) });

  test(`a field of ${least - 1} characters is refused: "${message}"`, () => {
    expect(complaints(withLength(least - 1))).toEqual({ [field]: message });
  });

  test('an empty, blank, missing or null field, or one that is no text, has the same message', () => {
    const { [field]: _, ...without } = rosa;
    const wrong = [{ ...rosa, [field]: '' }, { ...rosa, [field]: ' '.repeat(30) }, without];
    for (const input of [...wrong, { ...rosa, [field]: null }, { ...rosa, [field]: 12_345_678 }]) {
      expect(complaints(input)).toEqual({ [field]: message });
    }
  });

  test(`a field of ${least} characters is enough and one of ${most} not too long`, () => {
    expect(complaints(withLength(least))).toEqual({});
    expect(complaints(withLength(most))).toEqual({});
    expect(complaints(withLength(most + 1))).toEqual({ [field]: `Usa como máximo ${most} caracteres` });
  });

  test('spaces around a field do not count and are not kept', () => {
    expect(complaints({ ...rosa, [field]: `  ${digit.repeat(least - 1)}  ` })).toEqual({ [field]: message });
    expect(recipientInput.parse({ ...rosa, [field]: ` ${digit.repeat(least)} ` })[field]).toBe(digit.repeat(least));
  });
});

describe('e-mail', () => {
  test.each(['rosa@', 'rosa', '@chasqui.test', 'a b@chasqui.test', 'rosa@chasqui', `${'a'.repeat(250)}@b.bo`, 7, null])(
    'the recipient’s e-mail %j is refused with "Email inválido"',
    (email) => {
      expect(complaints({ ...rosa, email })).toEqual({ email: 'Email inválido' });
    },
  );

  test('the recipient’s e-mail may be empty or missing', () => {
    const { email: _, ...without } = rosa;
    expect(recipientInput.parse(without).email).toBe('');
    expect(recipientInput.parse({ ...rosa, email: '' }).email).toBe('');
  });

  test('the recipient’s e-mail may have spaces around it, as pasted', () => {
    expect(recipientInput.parse({ ...rosa, email: ' rosa@chasqui.test ' }).email).toBe('rosa@chasqui.test');
    expect(recipientInput.parse({ ...rosa, email: '  ' }).email).toBe('');
  });
});

test('the relationship to a recipient is optional and short', () => {
  const { relationship: _, ...without } = rosa;
  expect(recipientInput.parse(without).relationship).toBe('');
  expect(complaints({ ...rosa, relationship: 'm'.repeat(40) })).toEqual({});
  expect(complaints({ ...rosa, relationship: 'm'.repeat(41) })).toEqual({
    relationship: 'Usa como máximo 40 caracteres',
  });
});

test('an empty recipient form says every message of the specification at once', () => {
  expect(complaints({ email: '' })).toEqual(Object.fromEntries(rules.map(({ field, message }) => [field, message])));
});

test('an accepted recipient keeps the typed values', () => {
  expect(recipientInput.parse(rosa)).toEqual(rosa);
  expect(recipientInput.parse({ ...rosa, id: 'x', userId: 'y', role: 'admin' })).toEqual(rosa);
});

// PostgreSQL cannot keep U+0000 in a text, and a bank's form cannot show the others.
test.each(Object.keys(rosa))('the recipient’s %s takes no control characters', (field) => {
  for (const character of ['\u0000', '\u0007', '\u001b', '\u0085']) {
    const value = `${rosa[field as keyof RecipientInput].slice(0, 4)}${character}1234`;
    expect(Object.keys(complaints({ ...rosa, [field]: value }))).toEqual([field]);
  }
});

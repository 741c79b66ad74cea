import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNames, maskName } from './name-check.ts';

describe('comparison of the typed name with the account’s name', () => {
  test.each([
    ['Juana Mamani Quispe', 'JUANA MAMANI QUISPE', 'match'],
    ['Juana Mamani Quispe', 'MAMANI QUISPE JUANA', 'match'],
    ['Mamani Quispe Juana', 'Juana Mamani Quispe', 'match'],
    ['José Ñuflo Chávez', 'JOSE NUFLO CHAVEZ', 'match'],
    ['Juana Mamani', 'Juana Mamani Quispe', 'match'],
    ['Juana Mamani', 'MAMANI QUISPE JUANA ISABEL', 'match'],
    ['Mamani Juana', 'Juana Mamani Quispe', 'match'],
    ['Juana Isabel Mamani Quispe', 'Juana Mamani', 'match'],
    ['María de la Cruz Vda. de Choque', 'CRUZ CHOQUE MARIA', 'match'],
    // The mother's surname alone may be a sister's or a daughter's.
    ['Juana Quispe', 'Juana Mamani Quispe', 'close'],
    ['Juan Carlos', 'Juan Carlos Mamani Quispe', 'close'],
    ['Juana', 'Juana Mamani Quispe', 'close'],
    ['Juana Mamni Quispe', 'Juana Mamani Quispe', 'close'],
    ['Ana Choquewanca', 'Ana Choquehuanca', 'close'],
    ['Juana M. Quispe', 'Juana Mamani Quispe', 'close'],
    ['Juana Mamani Condori', 'Juana Mamani Quispe', 'close'],
    ['Pedro Mamani Quispe', 'Juana Mamani Quispe', 'different'],
    ['Juana Mamani', 'Javier Rojas Terrazas', 'different'],
    ['Juana Mamani', 'Juana Rojas', 'different'],
    ['Ana Paz', 'Ana Paz Ltda', 'match'],
    ['Juana Mamani', '***', 'different'],
    ['', '', 'different'],
  ])('%s and %s: %s', (typed, bank, expected) => {
    expect(compareNames(typed, bank)).toBe(expected);
  });

  const word = fc.stringMatching(/^[a-zñ]{3,10}$/).filter((one) => !['del', 'las', 'los', 'dos', 'vda'].includes(one));
  const name = fc.uniqueArray(word, { minLength: 2, maxLength: 5 });

  test('order, capitals, accents and particles make no difference between the same words', () => {
    const shuffled = name.chain((words) =>
      fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })),
    );
    const accented = (text: string) => text.replace(/[aeiou]/g, (vowel) => `${vowel}\u0301`).normalize('NFC');
    fc.assert(
      fc.property(shuffled, ([words, others]) => {
        expect(compareNames(words.join(' '), accented(others.join(' de la ')).toUpperCase())).toBe('match');
      }),
    );
  });

  test('neither a missing second surname nor further given names make a difference, whichever of the two lacks them', () => {
    const person = fc.tuple(fc.uniqueArray(word, { minLength: 4, maxLength: 4 }), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(person, ([[given = '', second = '', father = '', mother = ''], hasSecond, surnamesFirst]) => {
        const [names, surnames] = [hasSecond ? [given, second] : [given], [father, mother]];
        const whole = (surnamesFirst ? [...surnames, ...names] : [...names, ...surnames]).join(' ');
        expect(compareNames(`${given} ${father}`, whole)).toBe('match');
        expect(compareNames(whole, `${given} ${father}`)).toBe('match');
      }),
    );
  });

  test('names that share no part are different', () => {
    const apart = fc.tuple(name, name).map(([one, other]) => [one.map((w) => `a${w}`), other.map((w) => `xyzxyz${w}`)]);
    fc.assert(
      fc.property(apart, ([one = [], other = []]) => {
        expect(compareNames(one.join(' '), other.join(' '))).toBe('different');
      }),
    );
  });
});

describe('what a sender sees of the name of an account', () => {
  test.each([
    ['JUANA MAMANI QUISPE', 'J*** M*** Q***'],
    ['José de la Ñusta', 'J*** D*** L*** Ñ***'],
    ['J**** M*****', 'J*** M***'],
    ['álvaro', 'Á***'],
    ['A. y/o B.', 'A*** Y*** O*** B***'],
    ['***', ''],
  ])('%s is shown as "%s"', (name, shown) => {
    expect(maskName(name)).toBe(shown);
  });

  test('masking shows only the first letter of each part and hides its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aáñÑ*. -/ßᾀ1') }), (name) => {
        expect(maskName(name)).toMatch(/^(\p{L}+\*{3}( \p{L}+\*{3})*)?$/u);
        expect(maskName(maskName(name))).toBe(maskName(name));
      }),
    );
  });
});

import { expect, test } from 'vitest';
import { Failure } from '#core/contracts/failures';
import { refuseGuessable } from './password-rules.ts';

const person = { name: 'Lucía Mamani', email: 'lucia.mamani84@example.com' };

function refusalOf(password: string): unknown {
  try {
    refuseGuessable(password, person);
    return null;
  } catch (error) {
    return error instanceof Failure ? error.details : error;
  }
}
const refused = (code: string) => ({ fields: expect.anything(), problems: { password: { code } } });

test.each(['12345678', 'PASSWORD1', 'iloveyou1', 'Contraseña', 'mariposa', 'qwertyuiop'])(
  'the well-known password "%s" is rejected in upper and lower case',
  (password) => expect(refusalOf(password)).toEqual(refused('password_breached')),
);

test.each(['lucia.mamani84@example.com', 'Lucía-Mamani', 'mamani2024!', 'chasqui-chasqui', 'Chasqui.84'])(
  'the password "%s", little more than facts about the user or us, is rejected',
  (password) => expect(refusalOf(password)).toEqual(refused('password_personal')),
);

test.each([
  'una-clave-larga',
  'tres mates con Lucía en Potosí',
  'x7#Rw2pq',
  '馬は白い馬は黒いのか',
  `${'a1 '.repeat(66)}!`,
])('the password "%s" is taken, whatever it is composed of', (password) => expect(refusalOf(password)).toBeNull());

test('hardly any other password is mistaken for a well-known one', () => {
  // Of 20,000 unlisted passwords, 0.3 are expected to collide with a listed one.
  const unlisted = Array.from({ length: 20_000 }, (_, number) => `clave inventada ${number}`);
  expect(unlisted.filter((password) => refusalOf(password) !== null).length).toBeLessThan(5);
});

import { expect, test } from 'vitest';
import { isPlainName, mixesAlphabets, nameForm } from './names.ts';

test.each([
  'Ramiro Condarco Villegas',
  'María José Núñez',
  'J. R. Ortega y Gasset',
  'Ma. Elena O’Higgins',
  "Vda. de D'Angelo",
  'Ana-María Goicoechea-Etxeberria',
  'Ｒａｍｉｒｏ　Ｃｏｎｄａｒｃｏ',
  '𝐑𝐚𝐦𝐢𝐫𝐨 Condarco',
  'Carmen',
])('%s is a name that a list can recognise', (name) => {
  expect(isPlainName(name)).toBe(true);
});

test.each([
  'R.a.m.i.r.o Condarco',
  'R. a. m. i. r. o. Condarco',
  'R-a-m-i-r-o Condarco',
  'RamiroCondarcoVillegas',
  'RamiroCondarco',
  'Ana CondarcoVillegas',
  'Ram1ro Condarco',
  'Rаmiro Condarco',
  'Рамиро Кондарко',
  '李小龍',
  'Ramiro_Condarco',
  'Ramiro, Condarco',
  'R̶amiro Condarco',
  'Rɑmiro Condarco',
  'Ramırø Cøndarcø',
  '',
])('%s is a name that a person has to look at', (name) => {
  expect(isPlainName(name)).toBe(false);
});

test.each([
  ['Rаmiro', true],
  ['R.а.miro', true],
  ['Ραmiro', true],
  ['Рамиро Condarco', false],
  ['Γιώργος', false],
  ['高橋ケン', false],
  ['J. R. Pérez', false],
])('%s mixes alphabets within a word: %s', (name, isMixed) => {
  expect(mixesAlphabets(name)).toBe(isMixed);
});

test('a name has one form, whatever letters it is typed in', () => {
  expect(nameForm('Ｒａｍｉｒｏ 𝐂𝐨𝐧𝐝𝐚𝐫𝐜𝐨')).toBe('Ramiro Condarco');
});

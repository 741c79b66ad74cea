import { describe, expect, it } from 'vitest';
import { line, paragraph, personName } from './text.ts';

const invisible = {
  'zero width space': '\u200B',
  'zero width joiner': '\u200D',
  'byte order mark': '\uFEFF',
  'right-to-left override': '\u202E',
  'soft hyphen': '\u00AD',
  'Hangul filler': '\u3164',
  'combining grapheme joiner': '\u034F',
  'variation selector': '\uFE0F',
  'tag letter': '\u{E0041}',
  'high surrogate alone': '\uD83D',
  'low surrogate alone': '\uDE00',
  escape: '\u001B',
};

describe('a line', () => {
  it.each(Object.entries(invisible))('a line refuses a %s', (_name, character) => {
    expect(line(20).safeParse(`Ana${character}Quispe`).success).toBe(false);
  });

  it.each(['Ñandú Åsa', 'José María de la Cruz', "O'Brien-Núñez", 'Jose\u0301', '李小龍', 'Муҳаммад', '😀'])(
    'a person’s name takes %s',
    (text) => {
      expect(line(30).parse(` ${text} `)).toBe(text);
    },
  );
});

describe('a paragraph', () => {
  it('a paragraph takes line breaks and composed emoji', () => {
    const text = 'Falta el CI.\n\tEnvíalo 👨‍👩‍👧 ❤️';
    expect(paragraph(50).parse(text)).toBe(text);
  });

  it.each(['right-to-left override', 'high surrogate alone', 'escape'] as const)('a paragraph refuses a %s', (name) => {
    expect(paragraph(50).safeParse(`Falta${invisible[name]}el CI`).success).toBe(false);
  });
});

describe("a person's name", () => {
  it.each(['--', '1234', '. .', '😀😀'])('a person’s name refuses %s, which has no letter', (name) => {
    expect(personName(50).safeParse(name).error?.issues[0]?.message).toBe('Escribe el nombre con letras');
  });

  it.each([
    'Gana 500 USD en http://evil.example/premio',
    'Entra en www.evil.example',
    'Entra en WWW.evil.example',
    'ana@evil.example',
    'evil.example/premio',
    'GANASTE 500 USD evil.com',
    'GANASTE 500 USD ｅｖｉｌ．ｃｏｍ',
    'GANASTE 500 USD evil。com',
    'Entra en 192.168.10.20',
  ])('a person’s name refuses %s, which a mail program could turn into a link', (name) => {
    expect(personName(60).safeParse(name).error?.issues[0]?.message).toContain('sin enlaces');
  });

  it.each(['李小龍', 'Ana 2', 'J. R. Pérez', 'Ma. Elena'])('a line takes %s', (name) => {
    expect(personName(50).parse(name)).toBe(name);
  });

  it('a person’s name is kept in one form, and measured and checked in that', () => {
    expect(personName(15).parse('　Ｒａｍｉｒｏ 𝐂𝐨𝐧𝐝𝐚𝐫𝐜𝐨 ')).toBe('Ramiro Condarco');
    expect(personName(15).safeParse('Ramiro ﷺ').success).toBe(false);
  });

  it('a person’s name cannot mix alphabets within one of its parts', () => {
    const { error } = personName(60).safeParse('Rаmirо Condarco');
    expect(error?.issues[0]?.message).toBe('Escribe cada palabra del nombre con letras de un solo alfabeto');
  });
});

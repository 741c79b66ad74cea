import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isSpanish } from '../testing/english.ts';

const source = join(import.meta.dirname, '..');

/** Lingui's macros: `lingui check missing` requires English for what they contain. */
const macros = new Set(['t', 'msg', 'plural', 'select', 'Trans', 'Plural']);

/** Spanish by intent, by file. */
const intended: Readonly<Record<string, RegExp>> = {
  // Search terms of the help in both languages, none of them shown.
  'data/help.ts': /^[\p{Ll}\s-]+$/u,
  // Names of banks.
  'features/landing/landing-a.tsx': /^(Unión|Económico)$/,
  // The currency as Spanish writes it, next to "BOB".
  'lib/format/money.ts': /^Bs$/,
};

const parse = (code: string) =>
  ts.createSourceFile('source.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);

function isMacro(node: ts.Node): boolean {
  if (ts.isTaggedTemplateExpression(node)) return macros.has(node.tag.getText());
  if (ts.isCallExpression(node)) return macros.has(node.expression.getText());
  if (ts.isJsxElement(node)) return macros.has(node.openingElement.tagName.getText());
  return ts.isJsxSelfClosingElement(node) && macros.has(node.tagName.getText());
}

/** Whether it is the Spanish half of `{ es: …, en: … }`. */
function hasEnglishNextToIt(node: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'es' &&
    node.parent.properties.some((property) => property.name?.getText() === 'en')
  );
}

/** Spanish texts that no macro translates. Lower-case single words are identifiers and addresses; capitals alone are codes. */
function untranslated(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isMacro(node) || hasEnglishNextToIt(node) || ts.isImportDeclaration(node)) return;
    const isTemplatePart = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (ts.isJsxText(node) || ts.isStringLiteralLike(node) || isTemplatePart) {
      const text = node.text.trim();
      const isText = ts.isJsxText(node) || /\s|^[\p{Lu}¿¡]/u.test(text);
      if (isText && !/^[A-Z\s]+$/.test(text) && isSpanish(text)) found.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(code));
  return found;
}

/** Macros whose text is made when the module is loaded, before the language of the page is known. */
function translatedTooEarly(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    const isText = isMacro(node) && !ts.isJsxElement(node) && !ts.isJsxSelfClosingElement(node);
    if (isText && !node.getText().startsWith('msg')) found.push(node.getText());
    else ts.forEachChild(node, visit);
  };
  visit(parse(code));
  return found;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/^(testing|messages)\//.test(file))
  .map((file) => ({ file, code: readFileSync(join(source, file), 'utf8') }));

test('no Spanish text stands outside of the macros, where an English page would show it untranslated', () => {
  expect(files.length).toBeGreaterThan(200);
  const texts = files.flatMap(({ file, code }) =>
    untranslated(code)
      .filter((text) => !intended[file]?.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(texts).toEqual([]);
});

test('no text is translated before the language of the page is known', () => {
  const texts = files.flatMap(({ file, code }) => translatedTooEarly(code).map((text) => `${file}: ${text}`));
  expect(texts).toEqual([]);
});

test.each([
  ['<p>Guardar los datos</p>', ['Guardar los datos']],
  ['<Button aria-label="Cerrar" />', ['Cerrar']],
  [`const label = \`Elige \${amount} ahora mismo\``, ['Elige', 'ahora mismo']],
  [`const label = t\`Pagar \${amount} ahora\`; const rest = <Trans>Tu cuenta</Trans>; const path = "/ayuda"`, []],
  ['const names = { es: "Tu cuenta", en: "Your account" }', []],
])('%s contains as untranslated texts: %j', (code, texts) => expect(untranslated(code)).toEqual(texts));

test.each([
  ['const label = t`Pagar`', ['t`Pagar`']],
  ['const label = () => t`Pagar`; const late = msg`Cobrar`; const shown = <Trans>Tu cuenta</Trans>', []],
])('%s contains as texts that are translated too early: %j', (code, texts) =>
  expect(translatedTooEarly(code)).toEqual(texts),
);

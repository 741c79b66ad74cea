import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

// Texts that make a regular expression try, fail and try again, for seconds (ReDoS): every one of the server is timed with such texts.

/** Longer than any text that a request may carry to a pattern: fields end below 5,000 characters, a header line below 16 kB. */
const longestText = 16_000;
/** What a pattern may cost on such a text, in ms of processor time. A harmless one takes less than 1. */
const maxMs = 100;

/** Patterns that are only tried on our own short texts, and how long those are. */
const boundedTexts: Readonly<Record<string, number>> = {
  // Figures that we wrote ourselves.
  '/0+$/': 40,
  // The end of a hash in base64.
  '/=+$/': 100,
  // The address that e-mails are sent from, as configured.
  '/@([^\\s>]+)>?\\s*$/': 320,
};

interface Pattern {
  readonly place: string;
  readonly text: string;
}

/** The regular expressions of the server's code that are written as such. */
function literals(): Pattern[] {
  const files = globSync('{core,api,domain,platform,worker,tools}/**/*.ts').filter(
    (file) => !/\.(test|tmp)\.|\/testing\//.test(file),
  );
  const found = new Map<string, string>();
  for (const file of files) {
    const source = readFileSync(file, 'utf8');
    // Parsing takes most of the time, and most files have none.
    if (!/[(,=:&|!?[]\s*\/(?![/*])/.test(source)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node) && !found.has(node.text)) found.set(node.text, file);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false));
  }
  return [...found].map(([text, place]) => ({ text, place }));
}

function compiled(text: string): RegExp {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? [];
  return new RegExp(source, flags);
}

/** Strings repeated to attack a pattern: characters of every class, and literals of the pattern itself. */
function pumpsOf(text: string): string[] {
  const words = text.match(/[A-Za-z0-9<>/ .@=:_-]{1,20}/g) ?? [];
  const signs = [...'a0A .,-_@=/:;<>"\n\té😀+%&?#*()[]{}|\\$\'w'];
  const pairs = ['a0', 'a.', 'a-', '0.', '0,', 'a ', 'a@', '=a', ';a', ' \n', '<a', 'a/'];
  return [...new Set([...signs, ...pairs, ...words, ...words.map((word) => `${word} `), words.join('')])].filter(
    Boolean,
  );
}

/** Texts that nearly match, of growing length, so that a pattern whose work doubles with each character is found at once. */
function* misleading(text: string, longest: number): Generator<string> {
  for (const length of [20, 26, 32, 200, 2_000, longest]) {
    if (length > longest) continue;
    for (const pump of pumpsOf(text)) {
      const pumped = pump.repeat(Math.ceil(length / pump.length)).slice(0, length);
      yield `${pumped}\u0001`;
      yield `\u0001${pumped}`;
    }
  }
}

/** The text on which a pattern takes too long, or null. */
function slowText({ text }: Pattern): string | null {
  const pattern = compiled(text);
  for (const misled of misleading(text, boundedTexts[text] ?? longestText)) {
    pattern.lastIndex = 0;
    const before = process.cpuUsage();
    pattern.test(misled);
    const { user } = process.cpuUsage(before);
    if (user / 1000 > maxMs) return `${misled.slice(0, 40)}… (${misled.length}): ${user / 1000} ms`;
  }
  return null;
}

describe('every regular expression of the server', () => {
  it('is fast on every text that a request can carry to it', () => {
    const patterns = literals();
    expect(patterns.length).toBeGreaterThan(100);
    const slow = patterns.flatMap((pattern) => {
      const text = slowText(pattern);
      return text === null ? [] : [{ ...pattern, slow: text }];
    });
    expect(slow).toEqual([]);
    const known = new Set(patterns.map(({ text }) => text));
    expect(Object.keys(boundedTexts).filter((text) => !known.has(text))).toEqual([]);
  });

  it.each([
    ['/^(a+)+$/', 'exponential'],
    ['/^(\\w+\\s?)*$/', 'exponential'],
    ['/\\s+$/', 'quadratic'],
    ['/a[^b]*c/', 'quadratic'],
  ])('%s, whose work is %s, would be found', (text) => {
    expect(slowText({ place: '', text })).not.toBeNull();
  });
});

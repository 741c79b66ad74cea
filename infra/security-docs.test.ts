import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './paths.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const assessment = read('docs/security.md');

/** The points of levels 1 and 2 of OWASP ASVS 5.0.0, by section. */
const standard = `
1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2 2.1:1-3 2.2:1-3 2.3:1-4 2.4:1 3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2 4.1:1-3 4.2:1 4.3:1-2 
4.4:1-4 5.1:1 5.2:1-3 5.3:1-2 5.4:1-3 6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3 6.8:1-4 7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 
7.6:1-2 8.1:1-2 8.2:1-3 8.3:1 8.4:1 9.1:1-3 9.2:1-4 10.1:1-2 10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3 11.1:1-2 11.2:1-3 
11.3:1-3 11.4:1-4 11.5:1 11.6:1 12.1:1-3 12.2:1-2 12.3:1-4 13.1:1 13.2:1-5 13.3:1-2 13.4:1-5 14.1:1-2 14.2:1-4 14.3:1-3 15.1:1-3 15.2:1-3 
15.3:1-7 16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3 17.1:1 17.2:1-4 17.3:1-2
`;

const points = standard
  .trim()
  .split(/\s+/)
  .flatMap((entry) => {
    const [section = '', ranges = ''] = entry.split(':');
    return ranges.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
    });
  });

const rows = [...assessment.matchAll(/^\| ([\d., ]+) \| (met|open|operator|n\/a) \| (.*) \|$/gm)].map(
  ([, numbers = '', state = '', text = '']) => ({ numbers: numbers.split(', '), state, text }),
);
const inState = (state: string) => rows.filter((row) => row.state === state).flatMap(({ numbers }) => numbers);

describe('the self-assessment by OWASP ASVS', () => {
  test('has every point of levels 1 and 2 once', () => {
    expect(rows.flatMap(({ numbers }) => numbers).toSorted()).toEqual(points.toSorted());
  });

  test('states what each open point lacks, and where each met one is implemented', () => {
    const named = [...assessment.matchAll(/^- \*\*([\d., ]+)\*\*: .{20}/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    expect(named.toSorted()).toEqual(inState('open').toSorted());
    for (const { numbers, state, text } of rows)
      if (state === 'met') expect(text, numbers.join()).toMatch(/`|table of (keys|data|logs) below/);
  });

  test('counts its points correctly', () => {
    const met = inState('met').length;
    const [open, operator, absent] = ['open', 'operator', 'n/a'].map((state) => inState(state).length);
    expect(assessment.replace(/\s+/g, ' ')).toContain(
      `${points.length}. **${met} are met**, **${open} are open**, ${operator} are the operator's, ${absent} are about`,
    );
  });
});

test.each(['docs/security.md', 'docs/threat-model.md', 'docs/stripe-keys.md', 'SECURITY.md'])(
  'every file that %s names exists',
  (path) => {
    const text = read(path);
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+|\.env\.example|docker-compose\.yml)`/g)].map(
      ([, file]) => file,
    );
    const linked = [...text.matchAll(/\]\(([\w./-]+)\)/g)].map(([, file = '']) => join(path, '..', file));
    expect(named.length + linked.length).toBeGreaterThan(1);
    for (const file of [...named, ...linked]) expect(existsSync(join(root, file as string)), file).toBe(true);
  },
);

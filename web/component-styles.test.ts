import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { componentsInOrder, readStyles } from './component-styles.ts';

const library = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));

test('the styles of the components, one after another, are all styles of the library', () => {
  const words = (css: string) => css.split(/\s+/).filter(Boolean);
  const parts = componentsInOrder().map(readStyles);
  expect(parts.length).toBeGreaterThan(50);
  expect(words(parts.join('\n'))).toEqual(words(readFileSync(join(library, 'styles.css'), 'utf8')));
});

test('every module of class names has its styles in the file of the same name', () => {
  const modules = globSync('esm/**/*.module.mjs', { cwd: library });
  expect(modules.length).toBeGreaterThan(50);
  for (const path of modules) {
    const css = readStyles(basename(path, '.module.mjs'));
    const names = readFileSync(join(library, path), 'utf8').match(/"m_\w+"/g) ?? [];
    expect([path, names.filter((name) => !css.includes(JSON.parse(name)))]).toEqual([path, []]);
  }
});

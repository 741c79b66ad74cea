import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const library = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css'));
const styles = join(library, 'styles');

/** What is no component's: resets and variables. */
const basics = ['baseline', 'default-css-variables', 'global'];

/**
 * Sends the styles of the component library with the scripts that show its components, instead of all to every page: each module
 * of class names brings the stylesheet of its component along. Each stylesheet is a layer of its own, in the library's order, so
 * that it does not matter which file comes first. While developing, and in tests, the library's styles are one file.
 */
export function componentStyles(): Plugin {
  return {
    name: 'component-styles',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/@mantine\/core\/(esm\/.+\.module\.mjs|styles\/\w+\.css|styles\.layer\.css)$/ },
      handler(code, id) {
        const name = basename(id).replace(/\..*$/, '');
        if (id.endsWith('.mjs')) return { code: `import '@mantine/core/styles/${name}.css';\n${code}`, map: null };
        return { code: id.endsWith('/styles.layer.css') ? startOfStyles() : inLayer(name, code), map: null };
      },
    },
  };
}

const inLayer = (name: string, css: string) => `@layer mantine.${name} {\n${css}\n}\n`;

/** Stands for the whole stylesheet: the order of all that may come, and what every page needs. */
function startOfStyles(): string {
  const order = `@layer ${componentsInOrder().map((name) => `mantine.${name}`)};\n`;
  return order + basics.map((name) => inLayer(name, readStyles(name))).join('');
}

/** Names of all stylesheets in the order in which the library's own file of all styles has them. */
export function componentsInOrder(): string[] {
  const whole = readFileSync(join(library, 'styles.css'), 'utf8');
  const places = new Map(
    globSync('*.css', { cwd: styles, exclude: ['*.layer.css'] }).map((file) => {
      const name = basename(file, '.css');
      return [name, whole.indexOf(readStyles(name).trim())];
    }),
  );
  return [...places.keys()].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

/** The stylesheet of a component. */
export function readStyles(name: string): string {
  return readFileSync(join(styles, `${name}.css`), 'utf8');
}

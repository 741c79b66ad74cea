import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { root } from '../paths.ts';

/**
 * Bundles the packages of the web app smaller for component tests: of six thousand icons those that the app names, and without source
 * maps, which are twice as large as the code and would be sent with it to every page. An icon that is named for the first time while
 * tests are watched is there after a restart.
 */
export function smallPackages(): Plugin {
  const used = usedIcons();
  return {
    // Vite bundles packages again when the name of a plugin changes.
    name: `small-packages-${createHash('sha256').update(used.join()).digest('hex').slice(0, 10)}`,
    config: () => ({
      optimizeDeps: {
        rolldownOptions: {
          plugins: [
            {
              name: 'small-packages',
              outputOptions: (options) => ({ ...options, sourcemap: false }),
              transform: {
                filter: { id: /\/tabler-icons-react\.mjs$/ },
                handler: (code) => ({ code: onlyIcons(code, new Set(used)), map: null }),
              },
            },
          ],
        },
      },
    }),
  };
}

/** Names of icons in the sources of the web app, sorted. */
function usedIcons(): string[] {
  const files = globSync('web/src/**/*.{ts,tsx}', { cwd: root });
  const names = files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\bIcon[A-Z0-9]\w*/g) ?? []);
  return [...new Set(names)].sort();
}

/** The package's list of exports, one per line, without unused icons. */
function onlyIcons(list: string, used: ReadonlySet<string>): string {
  const isUsed = (line: string) => [...line.matchAll(/default as (\w+)/g)].some(([, name]) => used.has(name ?? ''));
  return list.split('\n').filter(isUsed).join('\n');
}

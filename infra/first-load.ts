import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.ts';

/** The most that a landing page may load. */
export const firstLoadBytesMax = 133_000;

/**
 * Bytes of the scripts that a prerendered page of dist/web (such as "home") loads by itself, compressed as they are sent. What
 * is loaded at the first interaction (web/src/lib/first-interaction.ts) is not in it.
 */
export async function firstLoadBytes(page: string): Promise<number> {
  const html = await readFile(join(root, 'dist/web/.pages', `${page}.html`), 'utf8');
  const scripts = new Set(html.match(/\/assets\/[\w.~-]+\.js/g));
  let bytes = 0;
  for (const script of scripts) {
    const path = join(root, 'dist/web', script);
    bytes += (await stat(existsSync(`${path}.br`) ? `${path}.br` : path)).size;
  }
  return bytes;
}

import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.ts';

/** Of a landing page, in bytes. */
export const firstLoadBytesMax = 130_000;

/**
 * Bytes of the scripts that a drawn page of dist/web ("home") loads by itself, compressed as they travel. What comes with
 * the first sign of a person (web/src/lib/first-sign.ts) is not in it.
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

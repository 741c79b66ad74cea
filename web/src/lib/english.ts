import type { Messages } from '@lingui/core';

/*
 * A catalogue for each feature and layer. Those of public pages come with every English page; the others with the first page
 * that is not public.
 */
const ofPublicPages = () => import('./english-public.ts');
const ofApp = () => import('./english-app.ts');

/** The English texts of public pages, or of all. */
export async function loadEnglish(parts: 'public' | 'all'): Promise<Messages> {
  const loaded = await Promise.all(parts === 'all' ? [ofPublicPages(), ofApp()] : [ofPublicPages()]);
  return Object.assign({}, ...loaded.map(({ messages }) => messages));
}

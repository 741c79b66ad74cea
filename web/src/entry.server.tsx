import { prerender } from 'react-dom/static';
import { type EntryContext, ServerRouter } from 'react-router';
import { type Locale, locales } from '#core/locale/locale';
import { queryClient } from './data/query-client.ts';
import { sessionKey } from './data/query-keys.ts';
import { loadEnglish, showLanguage } from './lib/language.ts';
import { languageOfPage } from './lib/paths.ts';

/**
 * The HTML of a public page as a visitor first sees it, or the start of all other pages: that in each language, one after another.
 * Runs at build time.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const answer = (html: string) => new Response(html, { status, headers });
  if (!context.isSpaMode) {
    queryClient.setQueryData(sessionKey, null);
    return answer(await render(request, context, languageOfPage(new URL(request.url).pathname) ?? 'es'));
  }
  queryClient.clear();
  let html = '';
  let left = context.serverHandoffStream;
  for (const language of locales) {
    const [used, kept] = left?.tee() ?? [];
    left = kept;
    html += await render(request, { ...context, ...(used && { serverHandoffStream: used }), renderMeta: {} }, language);
  }
  return answer(html);
}

async function render(request: Request, context: EntryContext, language: Locale): Promise<string> {
  showLanguage(language, language === 'en' ? await loadEnglish('all') : {});
  const { prelude } = await prerender(<ServerRouter context={context} url={request.url} />, {
    // Whole pages, without parts that a script moves into place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  });
  return new Response(prelude).text();
}

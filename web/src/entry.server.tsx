import { prerender } from 'react-dom/static';
import { type EntryContext, ServerRouter } from 'react-router';
import { queryClient } from './data/query-client.ts';
import { sessionKey } from './data/query-keys.ts';

/** The HTML of a public page as a visitor first sees it, or the start of all other pages. Runs at build time. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  if (context.isSpaMode) queryClient.clear();
  else queryClient.setQueryData(sessionKey, null);
  const { prelude } = await prerender(<ServerRouter context={context} url={request.url} />, {
    // Whole pages, without parts that a script moves into place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  });
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return new Response(prelude, { status, headers });
}

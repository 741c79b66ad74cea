import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';

/** The middle of eleven: an answer is compressed while somebody waits for it. */
const brotliQuality = 5;

/**
 * Compresses what is text and longer than a kilobyte, JSON of the api above all; the web's own files come compressed from the
 * build. Compression gives secrets away where another site can make a browser ask again and again for a text in which a
 * guess of its own stands beside a secret (BREACH). Here it cannot: the session's secret is in no body, the cookie
 * (SameSite=Lax) does not go along with another site's requests, and whatever answers a provider's secret is a POST, which is
 * taken from our own pages only. Sockets are not answers and pass by.
 */
export function compressAnswers(): RequestHandler {
  return compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } } });
}

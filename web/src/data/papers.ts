import { queryOptions } from '@tanstack/react-query';
import type { Route } from '#core/contracts/http/routes';
import type { Locale } from '#core/locale/locale';
import { addressOf } from '../lib/http.ts';
import { senderCall } from '../lib/sender-http.ts';
import { paperKeys } from './sender-query-keys.ts';

/** Where the paper of an endpoint is downloaded, in a language. */
export const paperAddress = (route: Route, params: { id: string } | { period: string }, language: Locale) =>
  addressOf(route.path, params, { language });

/** Months and years of which the sender can have a statement. */
export const statementPeriodsQuery = queryOptions({
  queryKey: paperKeys.periods,
  queryFn: ({ signal }) => senderCall('statementPeriods', { signal }),
});

/** What a paper states that has a code on it. */
export const checkedPaperQuery = (code: string) =>
  queryOptions({
    queryKey: paperKeys.checked(code),
    queryFn: ({ signal }) => senderCall('checkPaper', { params: { code }, signal }),
    retry: false,
  });

/** What the paper states whose file this is, byte for byte. The file stays in the browser: only its hash is sent. @throws ApiFailure */
export async function checkPaperFile(file: File) {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return senderCall('checkPaperFile', { params: { hash } });
}

/** Whether this browser can hash files: only on secure addresses. */
export const canHashFiles = () => globalThis.crypto?.subtle !== undefined;

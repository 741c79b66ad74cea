import type { ClientError } from '#core/contracts/http/client-errors';
import { ownBuild } from './document.ts';
import { ApiFailure, call, currentCause } from './http.ts';

/** Most places of a stack that the contract takes; taken over here, so that its schema stays out of the first load. */
const framesMax = 12;

/** An error that repeats without end must not keep the network busy. */
const reportsMax = 10;
const reported = new Set<string>();

/**
 * Tells the server's log that something broke here: the kind of error and the places in our own files, nothing that a person
 * typed or that names one. Failed calls are no errors of the page. Each error is told once.
 */
export function reportError(error: unknown): void {
  if (error instanceof ApiFailure || reported.size >= reportsMax) return;
  const report = describe(error, window.location.pathname);
  const key = `${report.kind} ${report.frames[0]}`;
  if (reported.has(key)) return;
  reported.add(key);
  // Nobody waits for it, and without a connection there is nobody to tell.
  call('reportClientError', { body: report }).catch(() => undefined);
}

/** What is told of an error on a page. */
export function describe(error: unknown, pathname: string): ClientError {
  const kind = error instanceof Error ? error.name : typeof error;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = [...stack.matchAll(/\/assets\/([\w.~-]+\.js:\d+:\d+)/g)].map(([, place]) => place ?? '');
  return {
    kind: /^\w{1,60}$/.test(kind) ? kind : 'Error',
    frames: frames.slice(0, framesMax),
    page: pathOf(pathname),
    build: ownBuild,
    ...currentCause(),
  };
}

/** The path without what names a thing or a person. */
function pathOf(pathname: string): string {
  const path = pathname.replace(/\/[^/]*\d[^/]{7,}/g, '/:id');
  return /^\/[\w/:-]{0,60}$/.test(path) ? path : '/*';
}

/** Reports what nothing else catches. */
export function reportUncaughtErrors(): void {
  window.addEventListener('error', ({ error }) => error && reportError(error));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}

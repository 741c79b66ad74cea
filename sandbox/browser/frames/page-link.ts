/** The way from a frame to the page that mounted it. Both check the other's origin. */
import { SandboxApi } from '../stripe/api.ts';
import type { FrameStart } from '../stripe/frame-messages.ts';

/** The parameters that the page put into the frame's address. Throws if the document is not framed. */
function readStart(): FrameStart {
  if (window.parent === window) throw new Error('This page belongs in a frame.');
  return JSON.parse(decodeURIComponent(window.location.hash.slice(1)));
}

/**
 * Announces that the frame is ready, after `listen` is registered. @template Out messages to the page, @template In
 * messages from it.
 */
export function linkPage<Out extends { readonly type: string }, In>(listen: (message: In) => void) {
  const { pageOrigin, publishableKey, language } = readStart();
  window.addEventListener('message', (event: MessageEvent<In>) => {
    if (event.source === window.parent && event.origin === pageOrigin) listen(event.data);
  });
  document.documentElement.lang = language;
  return {
    api: new SandboxApi(window.location.origin, publishableKey, language),
    language,
    tell: (message: Out) => window.parent.postMessage(message, pageOrigin),
  };
}

/**
 * Reports the height of `host` to the page, and each change. A frame without width, as in a hidden part of the page,
 * reports nothing: with one word per line it would be far too high.
 */
export function tellHeight(host: Element, tell: (message: { type: 'height'; height: number }) => void): void {
  new ResizeObserver(() => {
    if (window.innerWidth > 0) tell({ type: 'height', height: Math.ceil(host.getBoundingClientRect().height) });
  }).observe(host);
}

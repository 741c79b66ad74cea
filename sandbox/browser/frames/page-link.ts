/** The way from a frame to the page that mounted it. Both check the other's origin. */
import { SandboxApi } from '../stripe/api.ts';
import type { FrameStart } from '../stripe/frame-messages.ts';

/** What the page said when it made the frame's address. Throws when the frame stands alone. */
function readStart(): FrameStart {
  if (window.parent === window) throw new Error('This page belongs in a frame.');
  return JSON.parse(decodeURIComponent(window.location.hash.slice(1)));
}

/** Says that the frame listens, after `listen` is in place. @template Out what is told to the page, @template In what it says. */
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
 * Tells the page how high `host` is, and each change of it. A frame without width, as in a part of the page that is not shown, says nothing:
 * with every word on a line of its own it would be far too high.
 */
export function tellHeight(host: Element, tell: (message: { type: 'height'; height: number }) => void): void {
  new ResizeObserver(() => {
    if (window.innerWidth > 0) tell({ type: 'height', height: Math.ceil(host.getBoundingClientRect().height) });
  }).observe(host);
}

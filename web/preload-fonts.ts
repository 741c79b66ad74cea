import type { Plugin } from 'vite';

/** The two typefaces of every page, in the letters of Spanish. */
const firstFonts = /(figtree|bricolage-grotesque)-latin-wght-normal-.*\.woff2$/;

/** Asks for the fonts together with the styles instead of after them, so that words do not change their width on screen. */
export function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => firstFonts.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  };
}

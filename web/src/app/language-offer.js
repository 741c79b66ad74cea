// Runs before everything else: on a slow network the page can be read long before its scripts are there. Marks a document that is
// not in the language that the browser asks for, until somebody has chosen one (lib/language.ts): then the page shows its offer.
(() => {
  const { lang, dataset } = document.documentElement;
  const asked = navigator.languages
    .map((tag) => tag.toLowerCase().split('-')[0])
    .find((tag) => tag === 'es' || tag === 'en');
  if (!asked || lang.startsWith(asked) || /(^|; )(__Host-)?language=/.test(document.cookie)) return;
  // The prerendered link leads to the page without its query.
  dataset.languageOffer = window.location.search ? 'hydrated' : 'now';
})();

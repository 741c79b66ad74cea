// Runs before the first paint, so that a person who chose the dark scheme never sees a white flash.
// A file of its own because the content security policy allows no inline scripts. The key is Mantine's.
(() => {
  let choice = null;
  try {
    choice = window.localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is blocked: the system's scheme decides.
  }
  const dark = choice === 'dark' || (choice !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

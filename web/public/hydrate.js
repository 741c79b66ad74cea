// Loads the scripts of a prerendered page after its first paint, so that text shows first. Signed-in people, whose page is
// rendered again by the scripts, and tabs in the background get them at once.
(() => {
  const { scripts } = document.currentScript.dataset;
  const start = () => {
    for (const href of scripts.split(' ')) {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href });
      document.head.append(link);
    }
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', crossOrigin: '', src: scripts.split(' ')[0] });
    document.head.append(script);
  };
  let signedIn = false;
  try {
    signedIn = window.localStorage.getItem('auth_token') !== null;
  } catch {
    // Storage is blocked: nobody is signed in.
  }
  if (signedIn || document.hidden) start();
  else window.requestAnimationFrame(() => setTimeout(start));
})();

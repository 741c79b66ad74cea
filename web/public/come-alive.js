// Brings the scripts of a page that was drawn while building, behind its first paint: words come before what moves them.
// Who is signed in waits for the scripts, which draw the page anew: for them they come at once, and so in a tab nobody sees.
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

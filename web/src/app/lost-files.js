// Runs before everything else: when a script or style of the page does not come, nothing of the app may be there to say so.
// After a deployment one reload brings the new files; otherwise a notice offers to try again.
(() => {
  const reloadPauseMs = 60_000;
  const entry = 'chasqui_reloaded_at';
  const mayReload = () => {
    try {
      const last = Number(window.sessionStorage.getItem(entry));
      if (Date.now() - last < reloadPauseMs) return false;
      window.sessionStorage.setItem(entry, String(Date.now()));
      return true;
    } catch {
      // Storage is blocked: a second reload could not be told from the first.
      return false;
    }
  };
  const [lost, again] =
    document.documentElement.lang === 'en'
      ? ['We could not load the whole page. Check your internet connection. ', 'Reload the page']
      : ['No pudimos cargar toda la página. Revisa tu internet. ', 'Recargar la página'];
  let noticed = false;
  const showNotice = () => {
    const notice = document.createElement('div');
    notice.setAttribute('role', 'alert');
    notice.className = 'cq-lost-files';
    notice.textContent = lost;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = again;
    button.addEventListener('click', () => window.location.reload());
    notice.append(button);
    document.body.prepend(notice);
  };
  window.addEventListener(
    'error',
    ({ target }) => {
      const isFile =
        target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet');
      // Once the app runs, it says itself what is missing.
      if (!isFile || noticed || document.documentElement.hasAttribute('data-hydrated')) return;
      noticed = true;
      if (navigator.onLine && mayReload()) window.location.reload();
      else if (document.body) showNotice();
      else document.addEventListener('DOMContentLoaded', showNotice);
    },
    true,
  );
})();

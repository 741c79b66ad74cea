import { expect, onTestFinished, test } from 'vitest';
import { fetchAhead } from './fetch-ahead.ts';

test('the files of a page are fetched ahead with those of the routes around it, each once', () => {
  const routes = {
    root: { path: '', module: '/root.js' },
    around: { parentId: 'root', module: '/around.js', imports: ['/shared.js'], css: ['/around.css'] },
    panel: { path: 'dashboard', parentId: 'around', module: '/panel.js', imports: ['/shared.js'] },
  };
  Object.assign(globalThis, { __reactRouterManifest: { routes } });
  const links = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')];
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, '__reactRouterManifest');
    for (const link of links()) link.remove();
  });
  fetchAhead('/nowhere');
  expect(links()).toEqual([]);
  fetchAhead('/dashboard?amount=100');
  fetchAhead('/dashboard');
  const asked = links().map((link) => `${link.getAttribute('as')} ${link.getAttribute('href')}`);
  expect(asked).toEqual([
    'script /panel.js',
    'script /shared.js',
    'script /around.js',
    'style /around.css',
    'script /root.js',
  ]);
});

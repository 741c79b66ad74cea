import { MantineProvider } from '@mantine/core';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { ColorSchemeButton } from './color-scheme-button.tsx';

test('a page that was built in light colours is hydrated as it is for who chose the dark ones', async () => {
  const tree = (
    <MantineProvider defaultColorScheme="auto">
      <ColorSchemeButton />
    </MantineProvider>
  );
  const host = document.createElement('div');
  host.innerHTML = renderToString(tree);
  document.body.append(host);
  localStorage.setItem('mantine-color-scheme-value', 'dark');
  const errors: unknown[] = [];
  const root = hydrateRoot(host, tree, { onRecoverableError: (error) => errors.push(error) });
  onTestFinished(() => {
    root.unmount();
    document.documentElement.removeAttribute('data-mantine-color-scheme');
  });
  await expect.element(page.getByRole('button', { name: 'Usar colores claros' })).toBeVisible();
  expect(errors).toEqual([]);
});

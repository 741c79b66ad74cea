import { afterEach, expect, test } from 'vitest';
import { useNewVersion, useOpenPayment } from '../../lib/document.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { NewVersion } from './banners.tsx';

afterEach(() => {
  useNewVersion.setState({ available: false });
  useOpenPayment.setState({ held: false });
});

test('a page of an older build offers to reload, but not while a payment is under way', async () => {
  const { screen } = await renderApp([{ path: '/', element: <NewVersion /> }]);
  const offer = screen.getByRole('button', { name: 'Recargar la página' });
  await expect.element(offer).not.toBeInTheDocument();
  useNewVersion.setState({ available: true });
  await expect.element(offer).toBeVisible();
  useOpenPayment.setState({ held: true });
  await expect.element(offer).not.toBeInTheDocument();
});

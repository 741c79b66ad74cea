import { Link, Outlet } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { renderApp } from '../../testing/render-app.tsx';
import { usePageTitle } from '../../ui/page.tsx';
import { PageChange, useHashTarget } from './page-change.tsx';

function Frame() {
  useHashTarget();
  return (
    <>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <PageChange />
    </>
  );
}

function Named({ title }: { title: string }) {
  usePageTitle(title);
  return (
    <>
      <h1>{title}</h1>
      <Link to="/other">Other page</Link>
    </>
  );
}

const routes = [
  {
    element: <Frame />,
    children: [
      { path: '/', element: <Named key="first" title="First" /> },
      { path: '/other', element: <Named key="other" title="Other" /> },
    ],
  },
];

test('after a link is followed, the focus is on the new page and its title is announced', async () => {
  await renderApp(routes);
  await expect.element(page.getByRole('status')).toBeEmptyDOMElement();
  await page.getByRole('link').click();
  await expect.element(page.getByRole('status')).toHaveTextContent('Other · Chasqui');
  await expect.element(page.getByRole('main')).toHaveFocus();
});

test('an address with a hash that is no encoded text shows its page', async () => {
  await renderApp(routes, '/other#%');
  await expect.element(page.getByRole('heading', { name: 'Other' })).toBeVisible();
});

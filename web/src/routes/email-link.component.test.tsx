import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../testing/english.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { pressTwice } from '../testing/keyboard-dialog.ts';
import { renderApp } from '../testing/render-app.tsx';
import EmailLinkPage from './email-link.tsx';

const api = installFakeApi();
const token = 'A'.repeat(43);
const open = (address = `/correo#${token}`) => renderApp([{ path: '/correo', element: <EmailLinkPage /> }], address);
const field = (testid: string) => page.getByTestId(testid);

test('a new address is confirmed by a press, once, and the secret leaves the address bar', async () => {
  api.answer({
    emailLink: () => ({ purpose: 'confirm', email: 'nueva@example.com', since: null }),
    useEmailLink: () => undefined,
  });
  const { router } = await open();
  await expect.element(page.getByText('nueva@example.com')).toBeVisible();
  expect(router.state.location.hash).toBe('');
  expect(api.calls.filter(({ name }) => name === 'useEmailLink')).toEqual([]);
  pressTwice('email-link-use');
  await expect.element(field('email-link-done')).toMatchTextContent('desde ahora entras con nueva@example.com');
  expect(api.calls.filter(({ name }) => name === 'useEmailLink').map(({ body }) => body)).toEqual([{ token }]);
});

test('undoing a change says what is restored and that a new password follows, and is in English', async () => {
  await showEnglish();
  api.answer({
    emailLink: () => ({ purpose: 'undo', email: 'x@example.com', since: '2026-11-20T14:00:00.000Z' }),
    useEmailLink: () => undefined,
  });
  await open();
  await expect.element(page.getByText('x@example.com')).toBeVisible();
  await expect.element(field('email-link-since')).toMatchTextContent(/recovery codes are again those of .*20/);
  expectEnglishOnly();
  await expectAccessibleAtAnyWidth();
  await field('email-link-use').click();
  await expect
    .element(page.getByRole('link', { name: 'Set a new password' }))
    .toHaveAttribute('href', '/en/login?recover=true');
  expectEnglishOnly();
});

test('a link that opens nothing any more says so, and a refusal stays beside the button', async () => {
  api.answer({
    emailLink: () => ({ purpose: 'confirm', email: 'n@example.com', since: null }),
    useEmailLink: () => 'no connection',
  });
  await open();
  await field('email-link-use').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('No hay conexión');
  const message = 'Este enlace ya no vale.';
  api.answer({ useEmailLink: () => ({ failure: 'email_link_dead', status: 410, message }) });
  await field('email-link-use').click();
  await expect.element(field('dead-link')).toBeVisible();
});

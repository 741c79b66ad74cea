import { expect, test } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { emailPreferencesKey } from '../../data/sender-query-keys.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import EmailPreferences from './email-preferences.tsx';

const api = installFakeApi();
const open = async () => {
  queryClient.removeQueries({ queryKey: emailPreferencesKey });
  return (await renderApp([{ path: '/', element: <EmailPreferences /> }])).screen;
};
const saved = () => api.calls.filter(({ name }) => name === 'setEmailPreferences').map(({ body }) => body);

test('a person switches optional e-mails off and on again, and those that are always sent say why', async () => {
  api.answer({
    getEmailPreferences: () => ({ muted: ['rate_alert'] }),
    setEmailPreferences: ({ body }) => body as { muted: ['rate_alert'] },
  });
  const screen = await open();
  const held = screen.getByTestId('email-transfer_held');
  await expect.element(held).toBeChecked();
  await expect.element(screen.getByTestId('email-rate_alert')).not.toBeChecked();
  expect(screen.getByTestId('email-required').elements()).toHaveLength(4);
  await expect.element(screen.getByText('Es tu comprobante', { exact: false })).toBeVisible();
  await held.click({ force: true });
  await expect.element(held).not.toBeChecked();
  await expect.element(screen.getByText('Guardado')).toBeVisible();
  await screen.getByTestId('email-rate_alert').click({ force: true });
  await expect.element(screen.getByTestId('email-rate_alert')).toBeChecked();
  await expect.poll(saved).toEqual([{ muted: ['rate_alert', 'transfer_held'] }, { muted: ['transfer_held'] }]);
  await expectAccessible();
});

test('a choice that could not be kept goes back and says so', async () => {
  api.answer({ getEmailPreferences: () => ({ muted: [] }), setEmailPreferences: () => 'no connection' });
  const screen = await open();
  const held = screen.getByTestId('email-transfer_held');
  await held.click({ force: true });
  await expect.element(screen.getByRole('alert')).toBeVisible();
  await expect.element(held).toBeChecked();
});

import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { RecipientView } from '#core/contracts/http/recipients';
import { storeSession } from '../../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { covers, expectText } from '../../testing/conformance.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { expectKeyboardDialog, pressTwice } from '../../testing/keyboard-dialog.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { juana } from '../../testing/sample-panel.ts';
import { RecipientList } from './recipient-list.tsx';

const api = installFakeApi();
beforeEach(() => page.viewport(1280, 900));

const field = (testid: string) => page.getByTestId(testid);
const input = (name: string) => field(`recipient-${name}`);
const callsOf = (name: string) => api.calls.filter((call) => call.name === name);

/** Opens the list of a sender who has these recipients; the returned function is called with what is chosen. */
const open = (...items: RecipientView[]) => openAt('/', ...items);

async function openAt(address: string, ...items: RecipientView[]) {
  storeSession(senderSession);
  api.answer({ me: () => senderSession, listRecipients: () => ({ items, nextCursor: null }) });
  const onChosen = vi.fn();
  await renderApp([{ path: '/', element: <RecipientList onChosen={onChosen} /> }], address);
  await expect.element(input('add')).toBeVisible();
  return onChosen;
}

const ofJuana = () => page.getByRole('button', { name: 'Ver detalles de Juana Mamani' });

test('what was typed of a recipient outlasts Escape and "back", until it is saved or given up', async () => {
  await open();
  const typed = () => expect.element(input('name'));
  await input('add').click();
  await input('name').fill('Rosa Mamani');
  await userEvent.keyboard('{Escape}');
  await expect.element(input('name')).not.toBeInTheDocument();
  await input('add').click();
  await typed().toHaveValue('Rosa Mamani');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(input('name')).not.toBeInTheDocument();
  await input('add').click();
  await typed().toHaveValue('');
});

test('a new recipient is refused with the message of each field, and a failure keeps what was typed', async () => {
  const onChosen = await open();
  const ready = () => expect.element(page.getByRole('button', { name: 'Imagen de su QR' })).toBeVisible();
  await expectKeyboardDialog('features/recipients/recipient-list.tsx', input('add'), { ready });
  await expect.element(page.getByText('Añadir nuevo destinatario')).toBeVisible();
  const names = ['name', 'email', 'phone', 'ci', 'bankAccount', 'address', 'city', 'relationship'] as const;
  for (const name of names) await expect.element(input(name)).toHaveValue('');
  await field('recipient-submit').click();
  for (const row of ['name', 'phone', 'ci', 'bank', 'account', 'address', 'city'] as const) {
    await expectText(`message recipient: ${row}`);
  }
  await expectAccessibleAtAnyWidth();
  await input('email').fill('rosa@');
  await field('recipient-submit').click();
  await expectText('message recipient: email');
  await input('email').fill('');
  // One character short of each least length is refused, the least itself is taken.
  const least = { name: 'Al', phone: '71234567', ci: '12345', bankAccount: '12345', address: 'Calle', city: 'Uy' };
  for (const [name, value] of Object.entries(least)) {
    await input(name).fill(value.slice(0, -1));
    (document.activeElement as HTMLElement).blur();
    await expect.element(input(name)).toHaveAttribute('aria-invalid', 'true');
    await input(name).fill(value);
    (document.activeElement as HTMLElement).blur();
    await expect.element(input(name)).not.toHaveAttribute('aria-invalid', 'true');
  }
  covers('constant recipient minimum lengths');
  await input('bankName').selectOptions(juana.bankName);
  api.answer({ createRecipient: () => 'no connection' });
  await field('recipient-submit').click();
  await expectText('message recipient: add failed');
  await expect.element(input('name')).toHaveValue('Al');
  api.answer({ createRecipient: () => ({ ...juana, ...least }) });
  pressTwice('recipient-submit');
  await expect.element(field('recipient-row')).toMatchTextContent('Familiar');
  covers('rule relationship', 'rule recipient optional fields');
  expect(callsOf('createRecipient')).toHaveLength(2);
  expect(onChosen.mock.calls).toEqual([[juana.id, false]]);
});

test('an address opens a recipient, where a name that the bank does not know is confirmed', async () => {
  const nameCheck = { status: 'different', bankSays: 'P*** Q***', confirmed: false } as const;
  const unconfirmed = { ...juana, id: crypto.randomUUID(), nameCheck };
  await openAt(`/?destinatario=${unconfirmed.id}`, unconfirmed);
  await expect.element(field('name-check')).toMatchTextContent(/La cuenta está a otro nombre/);
  api.answer({
    confirmRecipientName: () => ({ ...unconfirmed, version: 2, nameCheck: { ...nameCheck, confirmed: true } }),
  });
  await field('name-check-confirm').click();
  await expect.element(field('name-check')).toMatchTextContent(/Confirmaste el nombre/);
  await page.getByRole('button', { name: 'Cerrar' }).last().click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a recipient is edited on a tab of the dialog, and cancelling restores it', async () => {
  const onChosen = await open(juana);
  await expectKeyboardDialog('features/recipients/recipient-detail.tsx', ofJuana());
  const tab = (name: string) => page.getByRole('tab', { name });
  await expect.element(tab('Detalles')).toBeVisible();
  for (const action of ['Cerrar', 'Enviar Dinero']) {
    await expect.element(page.getByRole('dialog').getByText(action, { exact: true })).toBeVisible();
  }
  await expect.element(tab('Editar')).toBeDisabled();
  await field('recipient-edit').click();
  await expect.element(tab('Editar')).toHaveAttribute('aria-selected', 'true');
  await expectAccessibleAtAnyWidth();
  await field('recipient-name').fill('Otra');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(tab('Detalles')).toHaveAttribute('aria-selected', 'true');
  await field('recipient-edit').click();
  await expect.element(field('recipient-name')).toHaveValue('Juana Mamani');
  covers('rule recipient dialog');
  await field('recipient-name').fill('Rosa Quispe');
  api.answer({ updateRecipient: () => 'no connection' });
  await field('recipient-submit').click();
  await expectText('message recipient: edit failed');
  api.answer({ updateRecipient: () => ({ ...juana, name: 'Rosa Quispe' }) });
  await field('recipient-submit').click();
  await expect.element(page.getByRole('heading', { name: 'Rosa Quispe' })).toBeVisible();
  await field('recipient-send').click();
  expect(onChosen.mock.calls).toEqual([[juana.id, true]]);
});

test('a recipient is removed once, after a question, and stays when that failed', async () => {
  api.answer({ deleteRecipient: () => 'no connection' });
  await open(juana);
  await ofJuana().click();
  await expectKeyboardDialog('features/recipients/recipient-detail.tsx', input('remove'), { replaces: true });
  await field('recipient-remove-confirm').click();
  await expect.element(page.getByText('No se pudo quitar. Intenta de nuevo.')).toBeVisible();
  await expectAccessibleAtAnyWidth();
  api.answer({ deleteRecipient: () => undefined });
  pressTwice('recipient-remove-confirm');
  await expectText('message recipients: empty');
  expect(callsOf('deleteRecipient')).toHaveLength(2);
});

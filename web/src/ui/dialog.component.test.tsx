import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderApp } from '../testing/render-app.tsx';
import { Dialog } from './dialog.tsx';
import { useDialogHistory } from './dialog-history.ts';

function Screen({ closable = true }: { closable?: boolean }) {
  const [opened, setOpened] = useState<'first' | 'second' | null>(null);
  useDialogHistory('screen');
  return (
    <>
      <Button onClick={() => setOpened('first')}>Open</Button>
      {opened !== null && (
        <Dialog opened title="First" closable={closable} onClose={() => setOpened(null)}>
          <Button onClick={() => setOpened('second')}>More</Button>
        </Dialog>
      )}
      {opened === 'second' && <Dialog opened title="Second" onClose={() => setOpened('first')} />}
    </>
  );
}

const dialog = (name: string) => page.getByRole('dialog', { name });

test('going back closes the topmost dialog first and gives the focus back', async () => {
  await renderApp([{ path: '/', element: <Screen /> }]);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await expect.element(dialog('Second')).toBeVisible();
  window.history.back();
  await expect.element(dialog('Second')).not.toBeInTheDocument();
  await expect.element(dialog('First')).toBeVisible();
  window.history.back();
  await expect.element(dialog('First')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus();
});

test('a dialog that may not be closed now survives going back, as often as that is tried', async () => {
  await renderApp([{ path: '/', element: <Screen closable={false} /> }]);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect.element(dialog('First')).toBeVisible();
  const entry = window.history.state;
  for (const _ of [1, 2]) {
    const left = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
    window.history.back();
    await left;
    await vi.waitUntil(() => window.history.state?.dialogs === entry.dialogs);
  }
  await expect.element(dialog('First')).toBeVisible();
});

test('after a dialog was closed by its button, going back leaves the page at once', async () => {
  window.history.pushState({ idx: 1 }, '');
  window.history.pushState({ idx: 2 }, '');
  await renderApp([{ path: '/', element: <Screen /> }]);
  await page.getByRole('button', { name: 'Open' }).click();
  await dialog('First').getByRole('button', { name: 'Cerrar' }).click();
  await expect.element(dialog('First')).not.toBeInTheDocument();
  window.history.back();
  await vi.waitUntil(() => window.history.state?.idx === 1);
});

test('a form in a dialog does not submit the form that the dialog’s component stands in', async () => {
  const submitted: string[] = [];
  const submit = (name: string) => (event: FormEvent) => {
    event.preventDefault();
    submitted.push(name);
  };
  const forms = (
    <form onSubmit={submit('outer')}>
      <Dialog opened title="First" onClose={() => undefined}>
        <form onSubmit={submit('inner')}>
          <Button type="submit">Save</Button>
        </form>
      </Dialog>
    </form>
  );
  await renderApp([{ path: '/', element: forms }]);
  await page.getByRole('button', { name: 'Save' }).click();
  expect(submitted).toEqual(['inner']);
});

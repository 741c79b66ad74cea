import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { RecipientInput } from '#core/recipients/recipient';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { juana } from '../../testing/sample-panel.ts';
import { RecipientForm } from './recipient-form.tsx';
import { RecipientList } from './recipient-list.tsx';

const api = installFakeApi();

const recipient: RecipientInput = {
  name: 'Juana Mamani',
  email: '',
  phone: '71234567',
  ci: '4567890',
  bankName: 'Banco Unión',
  bankAccount: '10000012345678',
  address: 'Calle 21 de Calacoto',
  city: 'La Paz',
  relationship: 'Madre',
};

test('a recipient form that is sent twice before it can show that it is busy saves once', async () => {
  const saved: RecipientInput[] = [];
  const form = (
    <RecipientForm
      initial={recipient}
      submitLabel="Guardar"
      busyLabel="Guardando..."
      busy={false}
      failure={null}
      onCancel={() => undefined}
      onSave={async (values) => {
        saved.push(values);
        await new Promise((resolve) => setTimeout(resolve));
      }}
    />
  );
  const { screen } = await renderApp([{ path: '/', element: form }]);
  const button = screen.getByRole('button', { name: 'Guardar' }).element() as HTMLButtonElement;
  button.click();
  button.click();
  await expect.poll(() => saved).toEqual([recipient]);
});

test('recipients, their details, their form and the question whether to remove one are in English on an English page', async () => {
  await showEnglish();
  await page.viewport(1280, 900);
  api.answer({ listRecipients: () => ({ items: [juana], nextCursor: null }) });
  const { screen } = await renderApp([{ path: '/', element: <RecipientList onChosen={() => undefined} /> }]);
  const names = [juana.name, juana.address];
  await expect.element(screen.getByTestId('recipient-row')).toMatchTextContent(/Family/);
  expectEnglishOnly(...names);
  await screen.getByRole('button', { name: 'See details of Juana Mamani' }).click();
  await expect.element(screen.getByText('No email')).toBeVisible();
  expectEnglishOnly(...names);
  await screen.getByTestId('recipient-edit').click();
  await screen.getByTestId('recipient-name').fill('');
  await screen.getByTestId('recipient-submit').click();
  await expect.element(screen.getByTestId('recipient-name')).toHaveAttribute('aria-invalid', 'true');
  expectEnglishOnly(...names);
  await screen.getByRole('button', { name: 'Cancel' }).click();
  await screen.getByTestId('recipient-remove').click();
  await expect.element(screen.getByText('Remove Juana Mamani from your list?')).toBeVisible();
  expectEnglishOnly(...names);
});

import { encode } from 'uqr';
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { RecipientInput } from '#core/recipients/recipient';
import { queryClient } from '../../data/query-client.ts';
import { recipientsQuery } from '../../data/recipients.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { juana } from '../../testing/sample-panel.ts';
import { RecipientEditor, RecipientForm } from './recipient-form.tsx';

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
      draft="test"
      initial={recipient}
      submitLabel="Guardar"
      busyLabel="Guardando..."
      busy={false}
      failure={null}
      known={null}
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

describe('a recipient who may be one of the list', () => {
  const known = { failure: 'recipient_exists', status: 409, recipientId: juana.id, name: juana.name } as const;
  const fill = async () => {
    for (const [name, value] of Object.entries(recipient)) {
      const field = page.getByTestId(`recipient-${name}`);
      await (name === 'bankName' ? field.selectOptions(value) : field.fill(value));
    }
    await page.getByTestId('recipient-submit').click();
  };
  const open = async (changed: RecipientView | null) => {
    const onSaved = vi.fn();
    api.answer({ listRecipients: () => ({ items: [juana], nextCursor: null }) });
    const editor = <RecipientEditor recipient={changed} onSaved={onSaved} onCancel={() => undefined} />;
    await renderApp([{ path: '/', element: editor }]);
    await queryClient.fetchQuery(recipientsQuery);
    return onSaved;
  };

  test('a sender uses the recipient who has the account already', async () => {
    const onSaved = await open(null);
    api.answer({ createRecipient: () => ({ ...known, sameBy: 'account' }) });
    await fill();
    await expect.element(page.getByText('Ya tienes a Juana Mamani con esta cuenta')).toBeVisible();
    await expectAccessible();
    await page.getByRole('button', { name: 'Usar a Juana Mamani' }).click();
    expect(onSaved.mock.calls).toEqual([[juana, true]]);
  });

  test('a sender saves a recipient with a CI that is there already, anyway', async () => {
    const onSaved = await open(null);
    const asked: unknown[] = [];
    api.answer({
      createRecipient: ({ body }) => {
        asked.push(body);
        return asked.length === 1 ? { ...known, sameBy: 'ci' } : { ...juana, name: 'Rosa' };
      },
    });
    await fill();
    await expect.element(page.getByText('Ya tienes a Juana Mamani con este CI')).toBeVisible();
    await page.getByRole('button', { name: 'Guardar de todos modos' }).click();
    await expect.poll(() => onSaved.mock.calls).toEqual([[{ ...juana, name: 'Rosa' }]]);
    expect(asked).toEqual([recipient, { ...recipient, saveAnyway: true }]);
  });

  test('a change that makes two recipients alike is asked about, and another one cannot be used in its place', async () => {
    const onSaved = await open({ ...juana, id: crypto.randomUUID() });
    api.answer({ updateRecipient: () => ({ ...known, sameBy: 'account' }) });
    await fill();
    await expect.element(page.getByTestId('recipient-known')).toBeVisible();
    await expect.element(page.getByTestId('recipient-use-known')).not.toBeInTheDocument();
    api.answer({ updateRecipient: () => juana });
    await page.getByTestId('recipient-save-anyway').click();
    await expect.poll(() => onSaved.mock.calls).toEqual([[juana]]);
  });
});

describe('a recipient’s QR', () => {
  /** A picture of a code, as a phone takes it: with a margin, and in dark grey. */
  async function pictureOf(text: string): Promise<File> {
    const { data, size } = encode(text, { border: 4 });
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size * 4;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.fillStyle = '#fffdf5';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#222';
    data.forEach((row, y) => {
      row.forEach((dark, x) => {
        if (dark) context.fillRect(x * 4, y * 4, 4, 4);
      });
    });
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    return new File([blob as Blob], 'qr.png', { type: 'image/png' });
  }

  test('fills in what it tells, says so when only the bank can read it, and never leaves the device', async () => {
    const form = <RecipientEditor recipient={null} onSaved={() => undefined} onCancel={() => undefined} />;
    const { screen } = await renderApp([{ path: '/', element: form }]);
    const outcome = screen.getByTestId('qr-outcome');
    await expect.element(screen.getByTestId('qr-camera')).toHaveAttribute('capture', 'environment');
    const choose = async (file: File) => userEvent.upload(screen.getByTestId('qr-image'), file);
    await screen.getByTestId('recipient-city').fill('Oruro');
    await choose(await pictureOf('Titular: Juana Mamani\nBanco: BISA\nCuenta: 1000123456'));
    await expect.element(outcome).toMatchTextContent(/Completamos lo que dice el QR/);
    await expect.element(screen.getByTestId('recipient-name')).toHaveValue('Juana Mamani');
    await expect.element(screen.getByTestId('recipient-bankName')).toHaveValue('Banco BISA');
    await expect.element(screen.getByTestId('recipient-bankAccount')).toHaveValue('1000123456');
    await expect.element(screen.getByTestId('recipient-city')).toHaveValue('Oruro');
    await choose(await pictureOf(`${'aZ09+/'.repeat(12)}==|50fdf5a1a6f1`));
    await expect.element(outcome).toMatchTextContent(/Este QR solo lo lee la app del banco; escribe los datos\./);
    await choose(new File(['none'], 'qr.png', { type: 'image/png' }));
    await expect.element(outcome).toMatchTextContent(/No encontramos un QR en la imagen/);
    await expectAccessible();
    expect(api.calls).toEqual([]);
  });
});

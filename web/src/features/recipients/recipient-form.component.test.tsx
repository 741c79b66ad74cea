import { expect, test } from 'vitest';
import type { RecipientInput } from '#core/recipients/recipient';
import { renderApp } from '../../testing/render-app.tsx';
import { RecipientForm } from './recipient-form.tsx';

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

import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { RecipientView } from '#core/contracts/http/recipients';
import { recipientsQuery } from '../data/recipients.ts';
import { SendForm } from '../features/dashboard/send-form.tsx';
import { AddRecipient } from '../features/recipients/recipient-list.tsx';
import { storeSession } from '../lib/storage.ts';
import { expectAccessible } from '../testing/accessibility.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { emptyPanel, juana } from '../testing/sample-panel.ts';

const api = installFakeApi();
const live = installFakeLive();
const onPay = vi.fn();
const check = page.getByTestId('name-check');

function Form() {
  const amountRef = useRef<HTMLInputElement>(null);
  const draft = { amount: '100', receive: null, currency: 'USD', recipientId: juana.id, birthDate: '' } as const;
  return (
    <SendForm
      recipients={useQuery(recipientsQuery)}
      adding={AddRecipient}
      draft={draft}
      onChange={() => undefined}
      asksBirthDate={false}
      unprovenEmail={null}
      amountRef={amountRef}
      onPay={onPay}
    />
  );
}

const asked = (status: NonNullable<RecipientView['nameCheck']>['status'], more: Partial<RecipientView> = {}) => ({
  ...{ ...juana, ...more },
  nameCheck: { status, bankSays: 'P*** Q***', confirmed: false },
});

/** Opens the form with the sample recipient chosen, of whom the bank said this. */
async function open(recipient: RecipientView) {
  onPay.mockClear();
  storeSession(senderSession);
  api.answer({ ...emptyPanel, listRecipients: () => ({ items: [recipient], nextCursor: null }) });
  await renderApp([{ path: '/', element: <Form /> }]);
}

test('an account that turns out to be in another name is paid to only once its name is confirmed', async () => {
  await open(asked('pending'));
  await expect.element(check).toHaveTextContent('El banco está comprobando el nombre…');
  live.push('recipient:changed', asked('different', { version: 2 }));
  await expect
    .element(check)
    .toMatchTextContent(/La cuenta está a otro nombre.*Escribiste Juana Mamani y el banco dice P\*\*\* Q\*\*\*\./);
  // What was on its way before says nothing any more.
  live.push('recipient:changed', asked('pending'));
  await expectAccessible();
  await page.getByTestId('send-submit').click();
  await expect.element(page.getByText('Corrige los datos o confirma el nombre')).toBeVisible();
  expect(onPay).not.toHaveBeenCalled();
  await page.getByTestId('name-check-correct').click();
  await expect.element(page.getByTestId('recipient-name')).toHaveValue(juana.name);
  await page.getByRole('button', { name: 'Cancelar' }).click();
  const confirmed = asked('different', { version: 3 });
  api.answer({
    confirmRecipientName: () => ({ ...confirmed, nameCheck: { ...confirmed.nameCheck, confirmed: true } }),
  });
  await page.getByTestId('name-check-confirm').click();
  await expect.element(check).toHaveTextContent('Confirmaste el nombre; el banco dice P*** Q***');
  expect(api.calls.find(({ name }) => name === 'confirmRecipientName')?.body).toEqual({ version: 2 });
  await page.getByTestId('send-submit').click();
  expect(onPay).toHaveBeenCalledOnce();
});

test('the bank is asked about a recipient it was never asked about, and is not waited for', async () => {
  api.answer({ checkRecipientName: () => asked('unavailable', { version: 2 }) });
  await open({ ...juana, nameCheck: null });
  await expect.element(check).toMatchTextContent(/El banco no puede confirmar el nombre ahora\. Puedes enviar igual/);
  await page.getByTestId('send-submit').click();
  expect(onPay).toHaveBeenCalledOnce();
  api.answer({ checkRecipientName: () => asked('match', { version: 3 }) });
  await page.getByTestId('name-check-again').click();
  await expect.element(check).toHaveTextContent('El banco confirma el nombre');
});

test.each([
  ['match', /^El banco confirma el nombre$/],
  ['close', /El nombre no coincide del todo.*¿Es la misma persona\?/],
  ['unsupported', /^El banco no puede confirmar el nombre: revisa bien la cuenta$/],
] as const)('an account that is %s says so and keeps nobody from paying', async (status, text) => {
  await open(asked(status));
  await expect.element(check).toMatchTextContent(text);
  await page.getByTestId('send-submit').click();
  expect(onPay).toHaveBeenCalledOnce();
});

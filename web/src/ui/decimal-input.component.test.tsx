import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showLanguage } from '../lib/language.ts';
import { renderApp } from '../testing/render-app.tsx';
import { AmountInput } from './decimal-input.tsx';

function Screen() {
  const [amount, setAmount] = useState('100');
  return (
    <>
      <AmountInput label="Monto" value={amount} onChange={setAmount} error={null} testid="amount" />
      <output>{amount}</output>
    </>
  );
}

test.each([
  ['1.000', '1000', '1000'],
  ['2.500,50', '2500.50', '2500,50'],
  ['99.5', '99.5', '99,5'],
  ['12a,-5', '12.5', '12,5'],
])('an amount typed as %s is %s, and is shown as %s when the field is left', async (typed, amount, shown) => {
  await renderApp([{ path: '/', element: <Screen /> }]);
  const field = page.getByTestId('amount');
  await userEvent.clear(field);
  await userEvent.type(field, typed);
  await expect.element(page.getByRole('status')).toHaveTextContent(amount);
  await userEvent.tab();
  await expect.element(field).toHaveValue(shown);
});

test('the caret stays where a character was typed that is not taken', async () => {
  await renderApp([{ path: '/', element: <Screen /> }]);
  const field = page.getByTestId('amount');
  await field.click();
  (field.element() as HTMLInputElement).setSelectionRange(1, 1);
  await userEvent.keyboard('x2');
  await expect.element(field).toHaveValue('1200');
});

test.each([
  ['1,000.50', '1000.50', '1000.50'],
  ['1.000,50', '1000.50', '1000.50'],
  ['1,000', '1000', '1000'],
  ['99,5', '99.5', '99.5'],
])(
  'an amount typed on an English page as %s is %s, and is shown as %s when the field is left',
  async (typed, amount, shown) => {
    showLanguage('en');
    await renderApp([{ path: '/', element: <Screen /> }]);
    const field = page.getByTestId('amount');
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    await expect.element(page.getByRole('status')).toHaveTextContent(amount);
    await userEvent.tab();
    await expect.element(field).toHaveValue(shown);
  },
);

test('a pasted text that is no amount leaves the field as it was', async () => {
  await renderApp([{ path: '/', element: <Screen /> }]);
  await page.getByTestId('amount').fill('-50');
  await expect.element(page.getByTestId('amount')).toHaveValue('100');
});

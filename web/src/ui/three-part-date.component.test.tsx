import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessibility.ts';
import { renderApp } from '../testing/render-app.tsx';
import { ThreePartDate } from './three-part-date.tsx';

function Screen() {
  const [date, setDate] = useState('');
  return (
    <main>
      <h1>Prueba</h1>
      <ThreePartDate label="Tu fecha" value={date} onChange={setDate} error={null} testid="born" />
      <output>{date || 'ninguna'}</output>
      <button type="button" onClick={() => setDate('1985-12-03')}>
        Otra
      </button>
    </main>
  );
}

const field = (testid: string) => page.getByTestId(testid);
const date = () => page.getByRole('status');

test('a date of birth is typed as day, month and year, whatever the language of the browser', async () => {
  await renderApp([{ path: '/', element: <Screen /> }]);
  await page.getByRole('group', { name: 'Tu fecha' }).getByLabelText('Día').fill('5');
  await page.getByLabelText('Mes').fill('12');
  await page.getByLabelText('Año').fill('199');
  await expect.element(date()).toHaveTextContent('ninguna');
  await page.getByLabelText('Año').fill('1990');
  await expect.element(date()).toHaveTextContent('1990-12-05');
  // No such day.
  await page.getByLabelText('Día').fill('31');
  await page.getByLabelText('Mes').fill('2');
  await expect.element(date()).toHaveTextContent('ninguna');
  await expect.element(field('born-month')).toHaveValue('2');
  await page.getByRole('button').click();
  await expect.element(field('born')).toHaveValue('03');
  await expectAccessible();
});

test.each(['1990-05-17', '17/05/1990', '17.5.1990'])(
  'the whole date %s is taken in its field for the day',
  async (text) => {
    await renderApp([{ path: '/', element: <Screen /> }]);
    await field('born').fill(text);
    await expect.element(date()).toHaveTextContent('1990-05-17');
    await expect.element(field('born-year')).toHaveValue('1990');
    await userEvent.tab();
    await expect.element(field('born-month')).toHaveFocus();
  },
);

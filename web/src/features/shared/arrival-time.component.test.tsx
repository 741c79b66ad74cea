import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { MeasuredArrival } from './arrival-time.tsx';

const api = installFakeApi();
const measured = { bank: 'Banco Unión', count: 34, medianMinutes: 170, ninetiethMinutes: 3000 };
const shown = page.getByTestId('measured-arrival');
const show = (bank: string) => renderApp([{ path: '/', element: <MeasuredArrival bank={bank} /> }]);

test('a sender reads how soon the last payments to the chosen bank arrived, never rounded down', async () => {
  api.answer({ arrivalTimes: () => ({ days: 30, times: [{ ...measured, quarter: null }] }) });
  await show('Banco Unión');
  await expect
    .element(shown)
    .toHaveTextContent(
      'Medido en los últimos 34 envíos a Banco Unión: la mitad llegó en 3 horas o menos, 9 de cada 10 en 3 días o menos.',
    );
});

test('what was measured of the hour is said with the hours, in English too', async () => {
  await showEnglish();
  const times = [0, 1, 2, 3].map((quarter) => ({ ...measured, quarter }));
  api.answer({ arrivalTimes: () => ({ days: 30, times }) });
  await show('Banco Unión');
  await expect
    .element(shown)
    .toMatchTextContent(
      /^Measured on the last 34 transfers to Banco Unión: half arrived within 3 hours, 9 of 10 within 3 days\. .*between \d+:00 [AP]M and \d+:00 [AP]M in Bolivia\.$/,
    );
});

test('nothing is said of a bank that nothing was measured of', async () => {
  let asked = false;
  api.answer({
    arrivalTimes: () => {
      asked = true;
      return { days: 30, times: [{ ...measured, quarter: null }] };
    },
  });
  await show('Banco BISA');
  await expect.poll(() => asked).toBe(true);
  await expect.element(shown).not.toBeInTheDocument();
});

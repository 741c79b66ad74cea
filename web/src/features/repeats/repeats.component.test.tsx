import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ReminderView, RepeatView } from '#core/contracts/http/repeats';
import type { Offer } from '../../data/payments.ts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { expectKeyboardDialog, pressTwice } from '../../testing/keyboard-dialog.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { juana } from '../../testing/sample-panel.ts';
import { quoteFor } from '../../testing/sample-rates.ts';
import DueRepeats from './due-repeats.tsx';
import Reminder from './reminder.tsx';
import RepeatList from './repeat-list.tsx';

const api = installFakeApi();
const field = (testid: string) => page.getByTestId(testid);

const open: NonNullable<RepeatView['reminder']> = {
  ...{ id: '0199b2d0-0000-4000-8000-00000000bbbb', period: '2026-12-05', at: '2026-12-05T13:00:10.000Z' },
  ...{ lapsesAt: '2027-01-05T13:00:00.000Z', state: 'open', problem: null, transferId: null },
};
const monthly: RepeatView = {
  ...{ id: '0199b2d0-0000-4000-8000-00000000aaaa', state: 'active', reminder: null },
  recipient: { id: juana.id, name: juana.name, bankName: juana.bankName, removed: false },
  ...{ fixed: 'pay', amount: '100.00', currency: 'EUR', every: 'month', day: 5, hour: 9, zone: 'America/La_Paz' },
  ...{ nextDay: '2027-01-05', nextAt: '2027-01-05T13:00:00.000Z', createdAt: '2026-11-20T14:00:00.000Z' },
};
const waiting: RepeatView = { ...monthly, reminder: open };

let offered: Offer[];
const answerWith = (...items: RepeatView[]) => api.answer({ listRepeats: () => ({ items, nextCursor: null }) });
const remind = (changes: Partial<ReminderView> = {}) =>
  api.answer({ getReminder: () => ({ ...open, repeat: waiting, ...changes }) });
const calls = (name: string) => api.calls.filter((call) => call.name === name).map(({ body }) => body);

beforeEach(() => {
  offered = [];
  api.answer({
    listRecipients: () => ({ items: [juana], nextCursor: null }),
    quote: ({ body }) => quoteFor(body),
  });
});

/** The list, and what its reminder opens. */
function Panel({ asksBirthDate = false }: { asksBirthDate?: boolean }) {
  const [id, setId] = useState<string | null>(null);
  const close = () => setId(null);
  return (
    <>
      <DueRepeats onReview={setId} />
      <RepeatList onReview={setId} />
      {id && (
        <Reminder
          id={id}
          asksBirthDate={asksBirthDate}
          onClose={close}
          onTransfer={close}
          onPay={(offer) => {
            offered.push(offer);
            close();
          }}
        />
      )}
    </>
  );
}
const show = (props: { asksBirthDate?: boolean } = {}) =>
  renderApp([
    { path: '/', element: <Panel {...props} /> },
    { path: '/dashboard/destinatarios', element: 'Destinatarios' },
  ]);

test('the side of an amount changes only once its quote is there, so that no amount is lost', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  answerWith();
  api.answer({ quote: ({ body }) => promise.then(() => quoteFor(body)) });
  await show();
  await field('repeat-add').click();
  await field('repeat-amount').fill('250');
  field('repeat-side')
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await expect.element(field('repeat-side')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(field('repeat-amount')).toHaveValue('250');
  resolve();
  await field('repeat-side').click();
  await expect.element(page.getByText('Con la tasa de hoy pagas', { exact: false })).toBeVisible();
  await expect.element(field('repeat-amount')).not.toHaveValue('');
});

test('a repeating transfer is asked for once, with the figures of today beside what is typed', async () => {
  answerWith();
  await show();
  await expect.element(page.getByText('¿Envías cada mes?', { exact: false })).toBeVisible();
  await expectKeyboardDialog('features/repeats/repeat-dialog.tsx', field('repeat-add'), {
    ready: () => expect.element(page.getByText('Con la tasa de hoy llegan', { exact: false })).toBeVisible(),
  });
  await field('repeat-save').click();
  await expect.element(page.getByText('Elige un destinatario').last()).toBeVisible();
  await expect.element(field('repeat-recipient')).toHaveFocus();
  await field('repeat-recipient').selectOptions(juana.id);
  await page.getByText('Euros (EUR)').click();
  await field('repeat-side').click();
  await expect.element(field('repeat-amount')).toHaveValue('1291,17');
  await field('repeat-amount').fill('2000');
  await expect.element(page.getByText('Con la tasa de hoy pagas 154,91 EUR.')).toBeVisible();
  await field('repeat-day').selectOptions('31');
  await expect.element(page.getByText('En los meses más cortos, el último día.')).toBeVisible();
  api.answer({
    createRepeat: () => {
      answerWith(monthly);
      return monthly;
    },
  });
  pressTwice('repeat-save');
  await expect.element(page.getByText('Te lo recordaremos')).toBeVisible();
  await expect
    .element(field('repeat'))
    .toMatchTextContent(/Próximo aviso: martes, 5 de enero, 09:00 \(hora de Bolivia\)/);
  expect(calls('createRepeat')).toEqual([
    {
      ...{ recipientId: juana.id, receive: '2000', currency: 'EUR', every: 'month', day: 31, hour: 9 },
      zone: 'America/La_Paz',
    },
  ]);
});

test('a repeating transfer is paused, skipped for a month and ended, and says what comes next', async () => {
  answerWith(monthly);
  await show();
  await expectAccessibleAtAnyWidth();
  api.answer({
    pauseRepeat: ({ body }) => {
      const next: RepeatView = { ...monthly, state: (body as { paused: boolean }).paused ? 'paused' : 'active' };
      answerWith(next);
      return next;
    },
    skipRepeat: () => ({ ...monthly, nextDay: '2027-02-05' }),
    endRepeat: () => {
      answerWith();
      return undefined;
    },
  });
  await field('repeat-pause').click();
  await expect.element(field('repeat')).toMatchTextContent(/En pausa/);
  await field('repeat-pause').click();
  await expect.element(field('repeat')).toMatchTextContent(/Próximo aviso/);
  await field('repeat-skip').click();
  await expect.element(page.getByText('Próximo aviso: viernes, 5 de febrero', { exact: false })).toBeVisible();
  expect(calls('skipRepeat')).toEqual([{ period: '2027-01-05' }]);
  await expectKeyboardDialog('features/repeats/repeat-list.tsx', field('repeat-end'));
  await field('repeat-end-confirm').click();
  await expect.element(page.getByText('¿Envías cada mes?', { exact: false })).toBeVisible();
});

test('a reminder goes straight to the review of today’s figures, which know the reminder', async () => {
  answerWith(waiting);
  remind();
  await show();
  // It stands above what is under way, too: the list is far below on a phone.
  await expect.element(field('due-repeats')).toMatchTextContent(/100,00 EUR Juana.*Cada mes, el día 5/);
  await field('due-repeat').click();
  await expect.poll(() => offered).toHaveLength(1);
  expect(offered[0]).toMatchObject({
    ...{ recipient: { id: juana.id }, reminderId: open.id, birthDate: null },
    quote: { amount: '100.00', bs: '1291.17' },
  });
});

test('a reminder stops where something is to be said first, by keyboard too', async () => {
  api.answer({
    listRecipients: () => ({ items: [{ ...juana, accountChangedAt: '2026-12-01T14:00:00.000Z' }], nextCursor: null }),
  });
  answerWith(waiting);
  remind();
  await show({ asksBirthDate: true });
  await expectKeyboardDialog('features/repeats/reminder.tsx', field('repeat-review'), {
    ready: async () => {
      await expect.element(field('reminder-account-changed')).toBeVisible();
      // Loads lazily.
      await expect.element(field('reminder-birth-date')).toBeVisible();
    },
  });
  await field('reminder-review').click();
  await expect.element(page.getByText('Escribe tu fecha de nacimiento')).toBeVisible();
  await field('reminder-birth-date').fill('1990-05-17');
  api.answer({
    quote: () => ({ failure: 'rate_unavailable', status: 503, message: 'Tasa no disponible por el momento.' }),
  });
  await field('reminder-review').click();
  await expect.element(field('reminder-problem')).toMatchTextContent(/Tasa no disponible/);
  expect(offered).toEqual([]);
});

test('a reminder for an account in another name goes on once the name is confirmed', async () => {
  const nameCheck = { status: 'different', bankSays: 'P*** Q***', confirmed: false } as const;
  const unconfirmed = { ...juana, id: crypto.randomUUID(), nameCheck };
  const repeat = { ...waiting, recipient: { ...monthly.recipient, id: unconfirmed.id } };
  api.answer({ listRecipients: () => ({ items: [unconfirmed], nextCursor: null }) });
  answerWith(repeat);
  remind({ repeat });
  await show();
  await field('repeat-review').click();
  await expect.element(field('name-check')).toMatchTextContent(/La cuenta está a otro nombre/);
  await expect.element(field('name-check-correct')).toBeVisible();
  await field('reminder-review').click();
  await expect.element(field('reminder-problem')).toHaveTextContent('Corrige los datos o confirma el nombre');
  expect(offered).toEqual([]);
  expect(calls('quote')).toEqual([]);
  api.answer({
    confirmRecipientName: () => ({ ...unconfirmed, version: 2, nameCheck: { ...nameCheck, confirmed: true } }),
  });
  await field('name-check-confirm').click();
  await expect.element(field('name-check')).toMatchTextContent(/Confirmaste el nombre/);
  expect(offered).toEqual([]);
  await field('reminder-review').click();
  await expect.poll(() => offered[0]?.recipient?.id).toBe(unconfirmed.id);
});

test('the data of a recipient in another name are corrected where the reminder leads', async () => {
  const nameCheck = { status: 'different', bankSays: 'P*** Q***', confirmed: false } as const;
  const unconfirmed = { ...juana, id: crypto.randomUUID(), nameCheck };
  const repeat = { ...waiting, recipient: { ...monthly.recipient, id: unconfirmed.id } };
  api.answer({ listRecipients: () => ({ items: [unconfirmed], nextCursor: null }) });
  answerWith(repeat);
  remind({ repeat });
  const { router } = await show();
  await field('repeat-review').click();
  await field('name-check-correct').click();
  const { pathname, search } = router.state.location;
  expect(pathname + search).toBe(`/dashboard/destinatarios?destinatario=${unconfirmed.id}`);
});

test.each([
  [
    { state: 'paid', transferId: '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01' },
    /Ya hiciste este envío\. No se cobra otra vez/,
  ],
  [{ state: 'skipped' }, /Saltaste esta vez\. No se cobró nada\. Próximo aviso: martes, 5 de enero/],
  [{ state: 'lapsed' }, /ya venció/],
] as const)('a reminder that is $state says so and offers no payment', async (changes, said) => {
  answerWith(waiting);
  remind(changes);
  await show();
  await field('repeat-review').click();
  await expect.element(field('reminder-closed')).toMatchTextContent(said);
  expect(calls('quote')).toEqual([]);
});

test('a reminder without its recipient asks for another one', async () => {
  api.answer({ listRecipients: () => ({ items: [], nextCursor: null }) });
  const gone: RepeatView = { ...waiting, state: 'paused', recipient: { ...monthly.recipient, removed: true } };
  answerWith(gone);
  remind({ state: 'lapsed', problem: 'recipient_gone', repeat: gone });
  await show();
  await expect.element(field('repeat')).toMatchTextContent(/Ya no está en tu lista/);
  await field('repeat-review').click();
  await expect.element(field('reminder-recipient-gone')).toBeVisible();
  await page.getByRole('button', { name: 'Elegir a quién' }).click();
  await expect.element(field('repeat-form')).toBeVisible();
});

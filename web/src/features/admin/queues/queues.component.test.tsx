import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { AdminRole } from '#core/accounts/admin-roles';
import type { QueuePauseView, WorkItem } from '#core/contracts/http/queues';
import { queueNames, rowJobNames } from '#core/contracts/jobs';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin } from '../../../testing/admin-panel.tsx';
import { expectEnglishOnly, showEnglish } from '../../../testing/english.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { AdminPanel } from '../admin-panel.tsx';
import { TransferWork } from './transfer-work.tsx';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(1280, 900));

const pauseOf = (queue: QueuePauseView['queue']): QueuePauseView => ({
  ...{ queue, paused_at: '2026-11-21T14:00:00.000Z', paused_by: 'Ana Quispe' },
  paused_by_id: '0199b2d0-0000-4000-8000-0000000000f1',
});
const asRole = (adminRole: AdminRole) => ({ ...adminSession, user: { ...adminSession.user, adminRole } });

test('a paused queue is shown on every tab until it is resumed, with a link for whom may resume it', async () => {
  const { screen } = await openAsAdmin(api, <AdminPanel />, { address: '/?tab=users' });
  await expect.element(screen.getByTestId('admin-tab-users')).toBeVisible();
  expect(screen.getByTestId('queue-pause-notice').query()).toBeNull();
  api.answer({ queuePauses: () => ({ pauses: [pauseOf('payouts')] }) });
  live.push('admin:queue-pauses-changed', { at: '2026-11-21T14:00:00.000Z' });
  const notice = screen.getByTestId('queue-pause-notice');
  await expect
    .element(notice)
    .toMatchTextContent(
      /^Cola en pausa: pagos a familias.*Ana Quispe la pausó, 21\/11\/2026, 10:00 \(hora de La Paz\)/,
    );
  await expect.element(notice).toHaveAttribute('role', 'alert');
  await expect
    .element(notice.getByRole('link', { name: /Abrir la cola/ }))
    .toHaveAttribute('href', '/ops/queues/queue/payouts');
  await expectAccessible();
  api.answer({ queuePauses: () => ({ pauses: [] }) });
  live.push('admin:queue-pauses-changed', { at: '2026-11-21T15:00:00.000Z' });
  await expect.element(notice).not.toBeInTheDocument();
});

test('support sees what is paused, without a way to the dashboard', async () => {
  const { screen } = await openAsAdmin(api, <AdminPanel />, {
    me: () => asRole('support'),
    queuePauses: () => ({ pauses: [pauseOf('emails')] }),
  });
  await expect.element(screen.getByTestId('queue-pause-notice')).toMatchTextContent(/^Cola en pausa: correos/);
  expect(screen.getByRole('link', { name: /Abrir la cola/ }).query()).toBeNull();
});

const id = '0199b2d0-4e5f-4000-8000-0000000000e1';
const run = {
  ...{ attempts: 1, error: null, added_at: '2026-11-21T14:00:00.000Z' },
  ...{ began_at: '2026-11-21T14:00:01.000Z', ended_at: '2026-11-21T14:00:04.250Z' },
};
const payout: WorkItem = {
  type: 'operation',
  ...run,
  id,
  kind: 'payout',
  sequence: 2,
  status: 'abandoned',
  attempts: 20,
};
const job: WorkItem = {
  ...{ type: 'job', ...run, id: `run-payout-${id}-3`, name: 'run-payout', queue: 'payouts', state: 'failed' },
  ...{ attempts: 2, error: 'the bank does not answer' },
};

test('the work on a transfer says what was done, how it stands, how long it took, and why it failed', async () => {
  const { screen } = await openAsAdmin(api, <TransferWork id={id} />, {
    transferWork: () => ({ items: [payout, job], queues_readable: true }),
  });
  await expect
    .element(screen.getByTestId('work-operation'))
    .toMatchTextContent(/^Pago al banco n\.º 2.*10:00 · 20 intentos · 4,3 s.*Ya no se intenta/);
  await expect
    .element(screen.getByTestId('work-job'))
    .toMatchTextContent(/^Intento de pago al banco.*· 2 intentos · 3,3 s.*Falló.*the bank does not answer/);
  await expect
    .element(screen.getByRole('link', { name: /Intento de pago al banco/ }))
    .toHaveAttribute('href', `/ops/queues/queue/payouts/run-payout-${id}-3`);
  expect(screen.getByTestId('queues-unreadable').query()).toBeNull();
  await expectAccessible();
});

test('where the queues do not answer, the operations are shown with a note, and follow the transfer live', async () => {
  const { screen } = await openAsAdmin(api, <TransferWork id={id} />, {
    transferWork: () => ({ items: [payout], queues_readable: false }),
  });
  await expect
    .element(screen.getByTestId('queues-unreadable'))
    .toMatchTextContent('Las colas no responden: se ven las operaciones, sin sus trabajos.');
  await expect.element(screen.getByTestId('work-operation')).toBeVisible();
  api.answer({ transferWork: () => ({ items: [payout, job], queues_readable: true }) });
  live.push('admin:transfer-changed', { id, version: 9 } as never);
  await expect.element(screen.getByTestId('work-job')).toBeVisible();
});

test('pauses and work are shown in English alone, at any width', async () => {
  await showEnglish();
  const jobs = rowJobNames.map((name): WorkItem => ({ ...job, id: `${name}-1`, name, error: 'XYZ' }));
  const { screen } = await openAsAdmin(
    api,
    <>
      <AdminPanel />
      <TransferWork id={id} />
    </>,
    {
      queuePauses: () => ({ pauses: queueNames.map(pauseOf) }),
      transferWork: () => ({ items: [payout, ...jobs], queues_readable: false }),
    },
  );
  await expect.element(screen.getByTestId('queue-pause-notice').first()).toBeVisible();
  await expect.element(screen.getByTestId('work-job').first()).toBeVisible();
  for (const width of [1280, 390]) {
    await page.viewport(width, 900);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    expectEnglishOnly();
  }
});

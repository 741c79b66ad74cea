import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { sampleComplaint } from '../../testing/sample-complaint.ts';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import OwnComplaints from './own-complaints.tsx';

const api = installFakeApi();

test('all that a sender reported stands on the account page, each with its transfer and its deadline', async () => {
  api.answer({ ownComplaints: () => ({ items: [sampleComplaint(), sampleComplaint()], nextCursor: null }) });
  const { screen } = await renderApp([{ path: '/', element: <OwnComplaints /> }]);
  await expect.poll(() => screen.getByTestId('own-complaint').elements()).toHaveLength(2);
  const link = screen.getByRole('link', { name: 'Ver el envío' }).first();
  await expect.element(link).toHaveAttribute('href', `/dashboard?envio=${paidTransfer.id}`);
  await expectAccessible();
});

test('a report is taken back after being asked once more, by keyboard, and its letters are there as PDF in both languages', async () => {
  const one = sampleComplaint();
  let shown = one;
  api.answer({
    ownComplaints: () => ({ items: [shown], nextCursor: null }),
    withdrawComplaint: () => {
      shown = { ...one, version: 2, state: 'withdrawn', nextDue: null, closedAt: '2026-11-23T15:00:00.000Z' };
      return shown;
    },
  });
  const { screen } = await renderApp([{ path: '/', element: <OwnComplaints /> }]);
  await screen.getByTestId('complaint-withdraw').click();
  await expect.element(screen.getByTestId('complaint-withdraw-keep')).toHaveFocus();
  await expectAccessible();
  await screen.getByTestId('complaint-withdraw-keep').click();
  await expect.element(screen.getByTestId('complaint-withdraw')).toHaveFocus();
  await screen.getByTestId('complaint-withdraw').click();
  await screen.getByTestId('complaint-withdraw-confirm').click();
  await expect.element(screen.getByTestId('own-complaint')).toHaveAttribute('data-state', 'withdrawn');
  await expect.element(screen.getByText(/Lo retiraste el/)).toBeVisible();
  await expect.element(screen.getByTestId('complaint-withdraw')).not.toBeInTheDocument();
  const [letter] = one.letters;
  await screen.getByText('1 carta').click();
  for (const language of ['es', 'en']) {
    await expect
      .element(screen.getByTestId(`letter-pdf-${language}`))
      .toHaveAttribute('href', `/api/complaints/letters/${letter?.id}/pdf?language=${language}`);
  }
});

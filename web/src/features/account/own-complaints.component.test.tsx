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

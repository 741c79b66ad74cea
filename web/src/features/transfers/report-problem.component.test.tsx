import { beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import type { ComplaintView } from '#core/contracts/http/complaints';
import { expectAccessible } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { expectKeyboardDialog, pressTwice } from '../../testing/keyboard-dialog.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { sampleComplaint } from '../../testing/sample-complaint.ts';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { TransferDetail } from './transfer-detail.tsx';

const api = installFakeApi();
beforeEach(() => api.answer({ listRecipients: () => ({ items: [], nextCursor: null }) }));
const live = installFakeLive();
let samples = 0;

async function open(items: ComplaintView[] = [], regime: ComplaintView['regime'] = 'psd2') {
  const transfer = { ...paidTransfer, id: `6d9a2b0e-54a1-4a1c-8f55-${String(++samples).padStart(12, '0')}` };
  api.answer({
    getTransfer: () => transfer,
    helpContact: () => ({ whatsapp: '59171234567', email: 'ayuda@example.com' }),
    transferComplaints: () => ({ inTimeUntil: '2027-05-23T05:00:00.000Z', regime, items }),
  });
  const detail = (
    <TransferDetail
      id={transfer.id}
      onClose={() => undefined}
      onRepeat={() => undefined}
      onPay={() => undefined}
      recipients={{ data: [], error: null, refetch: () => undefined }}
      recipientEditor={() => null}
    />
  );
  const { screen } = await renderApp([{ path: '/', element: detail }]);
  return { screen, transferId: transfer.id };
}

test('a problem is reported from the transfer by keyboard, and stands there with what comes next', async () => {
  const { screen, transferId } = await open();
  const reported = sampleComplaint({ transferId, reason: 'late', description: 'Llegó tres días tarde.' });
  api.answer({ reportComplaint: () => reported });
  // Beside it a person can be written to, with the reference in the message.
  for (const [link, address] of [
    ['help-whatsapp', /^https:\/\/wa\.me\/59171234567\?text=.*TR\d+/],
    ['help-email', /^mailto:ayuda@example\.com\?subject=.*TR\d+.*&body=.*TR\d+/],
  ] as const)
    await expect.element(screen.getByTestId(link)).toHaveAttribute('href', expect.stringMatching(address));
  const opener = screen.getByTestId('report-problem');
  await expectKeyboardDialog('features/transfers/report-problem.tsx', opener, {
    replaces: true,
    ready: () => expect.element(screen.getByTestId('report-rules')).toMatchTextContent(/15 días hábiles/),
  });
  await screen.getByTestId('report-send').click();
  await expect.element(screen.getByText('Elige qué pasó')).toBeVisible();
  await expect.element(screen.getByText('Cuéntanos qué pasó, con al menos 10 letras')).toBeVisible();
  await expect.element(screen.getByText('Elige qué quieres')).toBeVisible();
  await screen.getByTestId('report-reason-late').click();
  await screen.getByTestId('report-description').fill('  Llegó tres días tarde. ');
  await screen.getByTestId('report-wants-refund').click();
  await screen.getByTestId('report-send').click();
  const own = screen.getByTestId('own-complaint');
  await expect.element(own).toMatchTextContent(/Te respondemos a más tardar el lunes, 14 de diciembre\./);
  const [sent] = api.calls.filter(({ name }) => name === 'reportComplaint');
  expect(sent).toMatchObject({
    params: { id: transferId },
    body: { reason: 'late', wants: 'refund', description: 'Llegó tres días tarde.' },
  });
  await own.getByText('1 carta').click();
  await expect.element(screen.getByTestId('complaint-letter')).toMatchTextContent(/Lo mira una persona de Chasqui\./);
  await expectAccessible();
  live.push('complaint:changed', {
    ...{ ...reported, version: 2, state: 'closed', nextDue: null, closedAt: '2026-11-25T15:00:00.000Z' },
    ...{ finding: 'error', explanation: 'Fue un error nuestro.', remedy: 'refund', amount: '2.50' },
  });
  await expect.element(own).toMatchTextContent(/Hubo un error y devolvimos 2,50 EUR a tu tarjeta\./);
  await expect.element(screen.getByTestId('complaint-result')).toMatchTextContent(/Fue un error nuestro\./);
});

test('files go with a report, one that cannot be uploaded is named, and more are added until it is closed', async () => {
  const { screen, transferId } = await open();
  const reported = sampleComplaint({ transferId, reason: 'late' });
  const file = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' });
  const kept = (name: string) => ({
    ...{ id: '0199b2d0-0000-4000-8000-0000000000f1', name, type: 'application/pdf', size: 8, at: reported.reportedAt },
  });
  const sent: string[] = [];
  api.answer({
    reportComplaint: () => reported,
    attachToComplaint: ({ body }) => {
      const { name } = body as { name: string };
      sent.push(name);
      if (name === 'foto.pdf') return { failure: 'too_many_files', status: 409, most: 5 };
      const complaint = { ...reported, version: 2, files: [kept(name) as ComplaintView['files'][number]] };
      api.answer({
        transferComplaints: () => ({ inTimeUntil: '2027-05-23T05:00:00.000Z', regime: 'psd2', items: [complaint] }),
      });
      return { files: complaint.files };
    },
  });
  await screen.getByTestId('report-problem').click();
  await screen.getByTestId('report-reason-late').click();
  await screen.getByTestId('report-description').fill('Llegó tres días tarde.');
  await screen.getByTestId('report-wants-refund').click();
  const input = () => document.querySelector('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input(), [new File(['hola'], 'hola.txt', { type: 'text/plain' })]);
  await expect.element(screen.getByText('Solo PDF, PNG o JPG')).toBeVisible();
  await userEvent.upload(input(), [file('extracto.pdf'), file('foto.pdf')]);
  await screen.getByTestId('report-send').click();
  await expect.element(screen.getByText('No se subió foto.pdf')).toBeVisible();
  expect(sent).toEqual(['extracto.pdf', 'foto.pdf']);
  // The report is there, and the file still picked.
  await expect.element(screen.getByText('Tu reporte ya está enviado', { exact: false })).toBeVisible();
  await expect.element(screen.getByTestId('files-field')).toMatchTextContent(/foto\.pdf/);
  await screen.getByText('Volver al envío').click();
  const own = screen.getByTestId('own-complaint');
  await expect
    .element(own.getByTestId('file'))
    .toHaveAttribute('href', '/api/files/0199b2d0-0000-4000-8000-0000000000f1');
  await own.getByTestId('files-add').click();
  await expectAccessible();
});

test('files are uploaded once by a double click, and after a lost connection those that are missing alone', async () => {
  const { screen } = await open([sampleComplaint()]);
  const file = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' });
  const sent: string[] = [];
  const attachable = (isOnline: (name: string) => boolean) =>
    api.answer({
      attachToComplaint: ({ body }) => {
        const { name } = body as { name: string };
        sent.push(name);
        return isOnline(name) ? { files: [] } : 'no connection';
      },
    });
  attachable((name) => name === 'uno.pdf');
  await screen.getByTestId('files-add').click();
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  await userEvent.upload(input, [file('uno.pdf'), file('dos.pdf'), file('tres.pdf')]);
  pressTwice('files-send');
  await expect.element(screen.getByText('No se subió dos.pdf')).toBeVisible();
  await expect.element(screen.getByText('Se cortó la conexión antes de terminar', { exact: false })).toBeVisible();
  attachable(() => true);
  await screen.getByTestId('files-send').click();
  await expect.element(screen.getByTestId('files-add')).toBeVisible();
  expect(sent).toEqual(['uno.pdf', 'dos.pdf', 'dos.pdf', 'tres.pdf']);
});

test('what is being investigated cannot be reported again, and a refusal is said', async () => {
  const { screen } = await open([sampleComplaint({ reason: 'late' })], 'own');
  api.answer({ reportComplaint: () => ({ failure: 'complaint_open', status: 409 }) });
  await screen.getByTestId('report-problem').click();
  await expect.element(screen.getByTestId('report-rules')).toMatchTextContent(/Pasaron más de 180 días/);
  await expect.element(screen.getByTestId('report-reason-late')).toBeDisabled();
  await screen.getByTestId('report-reason-general').click();
  await screen.getByTestId('report-description').fill('No me contestan.');
  await screen.getByTestId('report-wants-other').click();
  await screen.getByTestId('report-send').click();
  await expect
    .element(screen.getByTestId('report-refused'))
    .toMatchTextContent(/Mensaje de complaint_open|Ya nos reportaste este problema/);
});

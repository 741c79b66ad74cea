import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { TransferView } from '#core/contracts/http/transfers';
import { storeSession } from '../../lib/storage.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { expectKeyboardDialog } from '../../testing/keyboard-dialog.ts';
import { renderApp, senderSession } from '../../testing/render-app.tsx';
import { juana as sampleRecipient } from '../../testing/sample-panel.ts';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { RecentTransfers } from './recent-transfers.tsx';
import { TransferDetail } from './transfer-detail.tsx';

const api = installFakeApi();
beforeEach(() => api.answer({ listRecipients: () => ({ items: [], nextCursor: null }) }));

/** Who receives the sample transfer. */
const juana: RecipientView = { ...sampleRecipient, id: paidTransfer.recipientId ?? '', relationship: 'Madre' };
const pedro = { ...juana, id: 'c3b7d2f4-8a55-4d2c-9a53-1d7c0f6b2e03', name: 'Pedro Mamani', bankAccount: '20000099' };

/** The timeline with one more step, a minute after the last. */
const later = (timeline: TransferView['timeline'], state: TransferView['state'], owner: string) => [
  ...timeline,
  { state, owner, at: `2026-11-21T15:0${timeline.length}:00.000Z` },
];
const refused = later(later([], 'captured', 'payments'), 'payout_failed', 'payouts');
let samples = 0;

/** A transfer that the bank did not pay, each with an id of its own. */
const failedTransfer = (changes: Partial<TransferView> = {}): TransferView => ({
  ...paidTransfer,
  id: `6d9a2b0e-54a1-4a1c-8f43-${String(++samples).padStart(12, '0')}`,
  version: 5,
  state: 'payout_failed',
  reason: 'El banco no pudo pagar: La cuenta de destino no existe.',
  timeline: refused,
  correctAccountBy: '2026-11-28T15:30:00.000Z',
  ...changes,
});

/** Stands for the form of the recipients' own feature. */
function Editor(props: { recipient: RecipientView | null; onSaved: (saved: RecipientView) => void }) {
  return (
    <button type="button" onClick={() => props.onSaved(props.recipient ?? pedro)}>
      Guardar {props.recipient?.name ?? 'otra cuenta'}
    </button>
  );
}

async function open(transfer: TransferView, recipients = [pedro, juana]) {
  storeSession(senderSession);
  api.answer({
    listTransfers: () => ({ items: [transfer], nextCursor: null }),
    getTransfer: () => transfer,
  });
  const both = (
    <>
      <RecentTransfers onOpen={() => undefined} onPay={() => undefined} onRepeat={() => undefined} />
      <TransferDetail
        id={transfer.id}
        onClose={() => undefined}
        onRepeat={() => undefined}
        onPay={() => undefined}
        recipients={{ data: recipients, error: null, refetch: () => undefined }}
        recipientEditor={Editor}
      />
    </>
  );
  const { screen } = await renderApp([{ path: '/', element: both }]);
  await expect.element(screen.getByTestId('transfer-detail')).toBeVisible();
  return screen;
}

const corrected = (transfer: TransferView): TransferView => ({
  ...transfer,
  version: 6,
  state: 'captured',
  reason: null,
  recipient: pedro.name,
  recipientId: pedro.id,
  timeline: later(transfer.timeline, 'captured', 'sender'),
});

for (const [width, height] of [
  [390, 844],
  [1280, 900],
] as const) {
  test(`a transfer that the bank did not pay says so in list and detail, ${width} px wide`, async () => {
    await page.viewport(width, height);
    const screen = await open(failedTransfer());
    const row = screen.getByTestId('transfer-row');
    await expect.element(row).toMatchTextContent(/REVISA LA CUENTA/);
    await expect.element(row).toMatchTextContent(/El banco no pudo pagar a esta cuenta/);
    const said = screen.getByTestId('payout-failed');
    await expect.element(said).toMatchTextContent(/La cuenta de destino no existe.*Tu dinero está con nosotros/);
    await expect.element(screen.getByTestId('cancel-offer')).not.toBeInTheDocument();
    await expectAccessible();
  });
}

test('the sender reads until when the account can be corrected, and what happens then', async () => {
  const screen = await open(failedTransfer({ correctAccountBy: '2026-11-28T15:30:00.000Z' }));
  await expect
    .element(screen.getByTestId('payout-failed'))
    .toMatchTextContent(/Si no la corriges hasta el 28\/11\/2026, \d\d:30, te devolvemos el dinero\./);
});

test('a deposit that the bank returned is not called a refused account', async () => {
  const screen = await open(
    failedTransfer({ timeline: later(later([], 'completed', 'payouts'), 'payout_failed', 'payouts') }),
  );
  await expect.element(screen.getByTestId('payout-failed')).toMatchTextContent(/El banco devolvió el depósito/);
});

test('the sender chooses another own account, and the bank pays again', async () => {
  const transfer = failedTransfer();
  api.answer({ correctAccount: () => ({ transaction: corrected(transfer) }) });
  const screen = await open(transfer);
  const opener = screen.getByTestId('account-correct');
  await expectKeyboardDialog('features/transfers/choose-account.tsx', opener, { replaces: true });
  // The refused account comes first, and says what is the matter with it.
  await expect.element(screen.getByRole('radio').first()).toHaveAccessibleName(/Juana Mamani/);
  await expect.element(screen.getByText(/El banco no aceptó esta cuenta/)).toBeVisible();
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByText('Elige una cuenta')).toBeVisible();
  await expectAccessibleAtAnyWidth();
  await screen.getByRole('radio', { name: /Pedro Mamani/ }).click();
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByText('Revisamos los datos de la nueva cuenta').first()).toBeVisible();
  await expect.element(screen.getByTestId('payout-failed')).not.toBeInTheDocument();
  expect(api.calls.find(({ name }) => name === 'correctAccount')?.body).toEqual({ recipientId: pedro.id });
});

test('the sender corrects the refused account or adds another one on the way', async () => {
  const transfer = failedTransfer();
  api.answer({ correctAccount: () => ({ transaction: corrected(transfer) }) });
  const screen = await open(transfer);
  await screen.getByTestId('account-correct').click();
  await screen.getByRole('radio', { name: /Juana/ }).click();
  await screen.getByTestId('choose-account-edit').click();
  await screen.getByRole('button', { name: 'Guardar Juana Mamani' }).click();
  await expect.element(screen.getByRole('radio', { name: /Juana/ })).toBeChecked();
  await screen.getByTestId('choose-account-add').click();
  await screen.getByRole('button', { name: 'Guardar otra cuenta' }).click();
  await expect.element(screen.getByRole('radio', { name: /Pedro/ })).toBeChecked();
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByTestId('transfer-detail')).toHaveAttribute('data-state', 'captured');
});

test('an account that the bank says is another person’s is chosen only once its name is right', async () => {
  const transfer = failedTransfer();
  const other = { ...pedro, nameCheck: { status: 'different' as const, bankSays: 'R*** C***', confirmed: false } };
  const screen = await open(transfer, [other, juana]);
  await screen.getByTestId('account-correct').click();
  await screen.getByRole('radio', { name: /Pedro/ }).click();
  await expect.element(screen.getByTestId('name-check')).toMatchTextContent(/La cuenta está a otro nombre.*R\*\*\* C/);
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByText('Corrige los datos o confirma el nombre')).toBeVisible();
  expect(api.calls.filter(({ name }) => name === 'correctAccount')).toEqual([]);
  await expectAccessible();
  await screen.getByTestId('name-check-correct').click();
  await expect.element(screen.getByRole('button', { name: 'Guardar Pedro Mamani' })).toBeVisible();
});

test('a correction that comes too late says why, and only leads back', async () => {
  const transfer = failedTransfer();
  api.answer({ correctAccount: () => ({ failure: 'account_not_correctable', status: 409 }) });
  const screen = await open(transfer);
  await screen.getByTestId('account-correct').click();
  await screen.getByRole('radio', { name: /Pedro/ }).click();
  const now = { ...transfer, version: 6, state: 'refunding' as const, status: 'refunded' as const };
  api.answer({ getTransfer: () => now, listTransfers: () => ({ items: [now], nextCursor: null }) });
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByTestId('choose-account-refused')).toMatchTextContent(/account_not_correctable/);
  await expect.element(screen.getByTestId('choose-account-confirm')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Volver al envío' }).click();
  await expect.element(screen.getByTestId('transfer-detail')).toHaveAttribute('data-state', 'refunding');
});

test('the sender asks for the money back instead, and reads when it comes', async () => {
  const transfer = failedTransfer({ cancellable: true });
  const returning: TransferView = {
    ...transfer,
    version: 6,
    state: 'refunding',
    status: 'refunded',
    timeline: later(transfer.timeline, 'refunding', 'sender'),
  };
  api.answer({ cancelTransfer: () => returning });
  const screen = await open(transfer);
  await screen.getByTestId('money-back').click();
  await expect.element(screen.getByText('¿Te devolvemos tu dinero?')).toBeVisible();
  await expect.element(screen.getByText(/Te devolvemos los 100,00\sEUR completos, comisión incluida/)).toBeVisible();
  await expectAccessible();
  await screen.getByTestId('cancel-confirm').click();
  await expect.element(screen.getByText('Pediste tu dinero de vuelta: vuelve a tu tarjeta').first()).toBeVisible();
});

test('a refund that the card gave back is owed to the sender, and is not blamed on the bank', async () => {
  const refunded = later(later(refused, 'refunding', 'sender'), 'refunded', 'payments');
  const screen = await open(
    failedTransfer({
      state: 'refunding',
      status: 'refunded',
      timeline: later(refunded, 'refunding', 'payments'),
      refund: { channel: 'card', state: 'failed', byBank: '0.00', reference: null },
    }),
  );
  await expect.element(screen.getByTestId('transfer-row')).toMatchTextContent(/TE DEBEMOS DINERO/);
  await expect.element(screen.getByTestId('refund-bounced')).toMatchTextContent(/Te debemos 100,00 EUR/);
  await expect.element(screen.getByText('Motivo')).not.toBeInTheDocument();
  await expectAccessible();
});

test('a transfer that was paid without a recipient asks who receives it, who may be added on the way', async () => {
  const transfer = failedTransfer({ state: 'in_review', timeline: [], recipient: '', recipientId: null, bankName: '' });
  const chosen = { ...transfer, version: 6, recipient: pedro.name, recipientId: pedro.id, bankName: pedro.bankName };
  api.answer({ assignRecipient: () => chosen });
  const screen = await open(transfer);
  await screen.getByTestId('recipient-choose').click();
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByText('Elige un destinatario')).toBeVisible();
  await expectAccessibleAtAnyWidth();
  await screen.getByTestId('choose-account-add').click();
  await screen.getByRole('button', { name: 'Guardar otra cuenta' }).click();
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByText('Pedro Mamani recibirá Bs 1.291,17.')).toBeVisible();
  await expect.element(screen.getByTestId('recipient-missing')).not.toBeInTheDocument();
  expect(api.calls.find(({ name }) => name === 'assignRecipient')?.body).toEqual({ recipientId: pedro.id });
});

test('a choice of who receives that comes too late says why, and only leads back', async () => {
  const transfer = failedTransfer({ state: 'in_review', timeline: [], recipient: '', recipientId: null });
  api.answer({ assignRecipient: () => ({ failure: 'recipient_not_open', status: 409 }) });
  const screen = await open(transfer);
  await screen.getByTestId('recipient-choose').click();
  await screen.getByRole('radio', { name: /Pedro/ }).click();
  const now = { ...transfer, version: 6, state: 'rejected' as const, status: 'rejected' as const };
  api.answer({ getTransfer: () => now, listTransfers: () => ({ items: [now], nextCursor: null }) });
  await screen.getByTestId('choose-account-confirm').click();
  await expect.element(screen.getByTestId('choose-account-refused')).toMatchTextContent(/recipient_not_open/);
  await expect.element(screen.getByTestId('choose-account-confirm')).not.toBeInTheDocument();
});

import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { SecondFactorView } from '#core/contracts/http/second-factor';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { accountKeys } from '../../data/sender-query-keys.ts';
import { storeSession } from '../../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { pressTwice } from '../../testing/keyboard-dialog.ts';
import { adminSession, renderApp, senderSession } from '../../testing/render-app.tsx';
import { AccountSections } from './account-sections.tsx';
import Proofs from './proofs.tsx';
import SecondFactor from './second-factor.tsx';

const api = installFakeApi();
const field = (testid: string) => page.getByTestId(testid);
const bodies = (name: string) => api.calls.filter((one) => one.name === name).map(({ body }) => body);

const secret = 'FFJ3N7IKCAZVGAR5BPBNHKB6KPHE6ZI5';
const uri = `otpauth://totp/Chasqui:carmen%40example.com?secret=${secret}&issuer=Chasqui`;
/** As wide as one can be. */
const longCode = 'WWWW-MMMM-WWWW-MMMM-WWWW-MMMM-2222';
const recoveryCodes = [longCode, 'DDDD-EEEE-FFFF-GGGG-HHHH-IIII-3333'];
const wrong = { failure: 'second_factor_wrong', status: 422, message: 'Ese código no es correcto.' } as const;
const off: SecondFactorView = { since: null, passkeys: [], recoveryCodesLeft: 0 };
const on: SecondFactorView = { since: '2026-11-20T12:00:00.000Z', passkeys: [], recoveryCodesLeft: 9 };
const passkeys = [
  {
    id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
    name: 'Mi teléfono',
    createdAt: '2026-11-20T12:00:00.000Z',
    lastUsedAt: null,
  },
];
const creation = {
  challenge: 'AQID',
  rp: { name: 'Chasqui' },
  user: { id: 'AQID', name: 'carmen@example.com', displayName: 'Carmen' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
};
const bytes = new Uint8Array([1, 2, 3]).buffer;
/** What a browser hands over. */
const created = {
  ...{ id: 'AQID', rawId: bytes, type: 'public-key', getClientExtensionResults: () => ({}) },
  response: { clientDataJSON: bytes, attestationObject: bytes },
} as unknown as Credential;
let factor: SecondFactorView;

beforeEach(() => {
  queryClient.removeQueries({ queryKey: accountKeys.secondFactor });
  queryClient.setQueryData(sessionKey, senderSession);
  factor = off;
  api.answer({ getSecondFactor: () => factor });
});
const open = () =>
  renderApp([
    {
      path: '/',
      element: (
        <>
          <SecondFactor />
          <Proofs />
        </>
      ),
    },
  ]);

test('an address that was not proven is proven before there is a second factor', async () => {
  queryClient.setQueryData(sessionKey, { ...senderSession, user: { ...senderSession.user, emailProven: false } });
  api.answer({ paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'live' }) });
  await open();
  await expect.element(field('factor-unproven')).toMatchTextContent('Antes confirma tu correo');
  await expect.element(field('passkey-add')).not.toBeInTheDocument();
  await expectAccessibleAtAnyWidth();
  queryClient.setQueryData(sessionKey, senderSession);
  await expect.element(field('passkey-add')).toBeVisible();
});

test('two-step verification is turned on with password, app and code, and shows its recovery codes once', async () => {
  api.answer({
    startSecondFactor: () => ({ failure: 'wrong_password', status: 422, message: 'Esa no es.' }),
    confirmSecondFactor: () => wrong,
  });
  await open();
  await field('factor-setup').click();
  await expect.element(field('factor-password')).toHaveFocus();
  await field('factor-password').fill('mala');
  await field('factor-change').click();
  await expect.element(field('factor-password')).toHaveAccessibleDescription('Esa no es.');
  api.answer({ startSecondFactor: () => ({ secret, uri }) });
  await field('factor-change').click();

  await expect.element(field('factor-code')).toHaveFocus();
  await expect.element(field('factor-secret')).toMatchTextContent('FFJ3 N7IK CAZV GAR5 BPBN HKB6 KPHE 6ZI5');
  await expect.element(field('factor-open-app')).toHaveAttribute('href', uri);
  await expect.element(page.getByRole('img', { name: 'Código QR', exact: false })).toBeVisible();
  await expectAccessibleAtAnyWidth();
  await field('factor-code').fill('12');
  await field('factor-confirm').click();
  await expect.element(field('factor-code')).toHaveFocus();
  expect(bodies('confirmSecondFactor')).toEqual([]);
  await field('factor-code').fill('123 456');
  await field('factor-confirm').click();
  await expect.element(field('factor-code')).toHaveAccessibleDescription('Ese código no es correcto.');
  api.answer({ confirmSecondFactor: () => ({ recoveryCodes }) });
  pressTwice('factor-confirm');

  await expect.element(page.getByText(longCode)).toBeVisible();
  await expect.element(field('recovery-codes')).toHaveFocus();
  await page.viewport(390, 844);
  const boxes = [...field('recovery-codes').element().querySelectorAll('pre')];
  expect(boxes.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toEqual([true, true]);
  await expectAccessibleAtAnyWidth();
  expect(bodies('confirmSecondFactor')).toHaveLength(2);
  factor = on;
  await field('recovery-kept').click();
  await expect.element(field('factor-codes-left')).toMatchTextContent('Te quedan 9 códigos de recuperación.');
  await expect.element(page.getByText(longCode)).not.toBeInTheDocument();
});

test('an admin who needs it finds nothing else on their account, and the rest once it is on', async () => {
  const session = { ...adminSession, mustSetUp: 'second_factor' as const };
  queryClient.setQueryData(sessionKey, session);
  api.answer({
    startSecondFactor: () => ({ secret, uri }),
    confirmSecondFactor: () => ({ recoveryCodes }),
    me: () => adminSession,
  });
  storeSession(session);
  await renderApp([{ path: '/', element: <AccountSections languageSwitch={null} /> }]);
  await expect.element(page.getByText('Falta la verificación en dos pasos')).toBeVisible();
  await expect.element(field('account-datos')).not.toBeInTheDocument();
  await field('factor-setup').click();
  await field('factor-password').fill('una-clave-larga');
  await field('factor-change').click();
  await field('factor-code').fill('123456');
  await field('factor-confirm').click();
  factor = on;
  await field('recovery-kept').click();
  await expect.element(field('account-datos')).toBeVisible();
});

test('recovery codes are renewed, and it is turned off, with the password and, where that was long ago, a code', async () => {
  factor = { ...on, recoveryCodesLeft: 1 };
  const stale = { failure: 'second_factor_stale', status: 403, app: true, passkey: false } as const;
  api.answer({ renewRecoveryCodes: () => ({ recoveryCodes }), removeSecondFactor: () => stale });
  await open();
  await expect.element(field('factor-codes-left')).toMatchTextContent('Te queda un código');
  await field('factor-renew').click();
  await field('factor-change').click();
  await expect.element(field('factor-password')).toHaveFocus();
  await field('factor-password').fill('una-clave-larga');
  await field('factor-change').click();
  await field('recovery-kept').click();
  expect(bodies('renewRecoveryCodes')).toEqual([{ password: 'una-clave-larga' }]);

  await field('factor-remove').click();
  await expect.element(page.getByText('para entrar bastará tu contraseña', { exact: false })).toBeVisible();
  await field('factor-password').fill('una-clave-larga');
  await field('factor-change').click();
  await expect.element(field('factor-code')).toHaveFocus();
  await field('factor-code').fill('123456');
  factor = off;
  api.answer({ proveSecondFactor: () => undefined, removeSecondFactor: () => undefined });
  await field('step-up-submit').click();
  await expect.element(field('factor-setup')).toBeVisible();
  expect(bodies('removeSecondFactor')).toEqual([{ password: 'una-clave-larga' }, { password: 'una-clave-larga' }]);
});

test('a passkey is created with a name and removed, and one that the browser refuses says what to do', async () => {
  factor = { ...on, passkeys };
  const create = vi.spyOn(navigator.credentials, 'create');
  create.mockRejectedValueOnce(new DOMException('The operation was canceled.', 'NotAllowedError'));
  api.answer({ startPasskey: () => creation, addPasskey: () => ({ recoveryCodes: null }) });
  await open();
  await expect.element(field('factor').last()).toMatchTextContent(/Mi teléfono.*Todavía no la usaste/);
  await expectAccessibleAtAnyWidth();
  await field('passkey-add').click();
  await expect.element(field('passkey-name')).not.toHaveValue('');
  await field('passkey-name').fill(' ');
  await field('factor-password').fill('una-clave-larga');
  await field('factor-change').click();
  await expect.element(field('passkey-name')).toHaveFocus();
  await expectAccessibleAtAnyWidth();
  await field('passkey-name').fill('Mi tableta');
  await field('factor-change').click();
  await expect.element(page.getByRole('alert').getByText('Inténtalo otra vez', { exact: false })).toBeVisible();
  create.mockResolvedValueOnce(created);
  await field('factor-change').click();
  await expect.element(page.getByText('Listo: ya puedes usarla.')).toBeVisible();
  expect(bodies('addPasskey')).toEqual([{ name: 'Mi tableta', passkey: expect.objectContaining({ id: 'AQID' }) }]);

  api.answer({ removePasskey: () => undefined });
  await field('factor-remove').last().click();
  await expect.element(page.getByText('Ya no podrás entrar con "Mi teléfono"', { exact: false })).toBeVisible();
  await field('factor-password').fill('una-clave-larga');
  factor = on;
  await field('factor-change').click();
  await expect.element(page.getByText('Quitada.')).toBeVisible();
  expect(api.calls.find(({ name }) => name === 'removePasskey')?.params).toEqual({ id: passkeys[0]?.id });
});

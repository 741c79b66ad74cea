import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SecondFactorView } from '#core/contracts/http/second-factor';
import { queryClient } from '../../data/query-client.ts';
import { sessionKey } from '../../data/query-keys.ts';
import { accountKeys } from '../../data/sender-query-keys.ts';
import { storeSession } from '../../lib/storage.ts';
import { expectAccessibleAtAnyWidth } from '../../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { pressTwice } from '../../testing/press-twice.ts';
import { adminSession, renderApp, senderSession } from '../../testing/render-app.tsx';
import { AccountSections } from './account-sections.tsx';
import SecondFactor from './second-factor.tsx';

const api = installFakeApi();
const field = (testid: string) => page.getByTestId(testid);
const bodies = (name: string) => api.calls.filter((one) => one.name === name).map(({ body }) => body);

const secret = 'FFJ3N7IKCAZVGAR5BPBNHKB6KPHE6ZI5';
const uri = `otpauth://totp/Chasqui:carmen%40example.com?secret=${secret}&issuer=Chasqui`;
const recoveryCodes = ['AAAA-BBBB-CCCC-2222', 'DDDD-EEEE-FFFF-3333'];
const wrong = { failure: 'second_factor_wrong', status: 422, message: 'Ese código no es correcto.' } as const;
const on: SecondFactorView = { since: '2026-11-20T12:00:00.000Z', recoveryCodesLeft: 9 };
let factor: SecondFactorView;

beforeEach(() => {
  queryClient.removeQueries({ queryKey: accountKeys.secondFactor });
  queryClient.setQueryData(sessionKey, senderSession);
  factor = { since: null, recoveryCodesLeft: 0 };
  api.answer({ getSecondFactor: () => factor });
});
const open = () => renderApp([{ path: '/', element: <SecondFactor /> }]);

test('two-step verification is turned on with password, app and code, and shows its recovery codes once', async () => {
  api.answer({
    startSecondFactor: () => ({ failure: 'wrong_password', status: 422, message: 'Esa no es.' }),
    confirmSecondFactor: () => wrong,
  });
  await open();
  await field('factor-setup').click();
  await expect.element(field('factor-password')).toHaveFocus();
  await field('factor-password').fill('mala');
  await field('factor-start').click();
  await expect.element(field('factor-password')).toHaveAccessibleDescription('Esa no es.');
  api.answer({ startSecondFactor: () => ({ secret, uri }) });
  await field('factor-start').click();

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

  await expect.element(page.getByText('AAAA-BBBB-CCCC-2222')).toBeVisible();
  await expect.element(field('recovery-codes')).toHaveFocus();
  await expectAccessibleAtAnyWidth();
  expect(bodies('confirmSecondFactor')).toHaveLength(2);
  factor = on;
  await field('recovery-kept').click();
  await expect.element(field('factor-codes-left')).toMatchTextContent('Te quedan 9 códigos de recuperación.');
  await expect.element(page.getByText('AAAA-BBBB-CCCC-2222')).not.toBeInTheDocument();
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
  await field('factor-start').click();
  await field('factor-code').fill('123456');
  await field('factor-confirm').click();
  factor = on;
  await field('recovery-kept').click();
  await expect.element(field('account-datos')).toBeVisible();
});

test('recovery codes are renewed, and it is turned off, with password and code; a recovery code will do', async () => {
  factor = { ...on, recoveryCodesLeft: 1 };
  api.answer({ renewRecoveryCodes: () => ({ recoveryCodes }), removeSecondFactor: () => wrong });
  await open();
  await expect.element(field('factor-codes-left')).toMatchTextContent('Te queda un código');
  await field('factor-renew').click();
  await field('factor-change').click();
  await expect.element(field('factor-password')).toHaveFocus();
  await field('factor-password').fill('una-clave-larga');
  await field('factor-code').fill('123456');
  await field('factor-change').click();
  await field('recovery-kept').click();
  expect(bodies('renewRecoveryCodes')).toEqual([{ password: 'una-clave-larga', code: '123456' }]);

  await field('factor-remove').click();
  await field('factor-swap').click();
  await expect.element(field('factor-code')).toHaveFocus();
  await field('factor-code').fill('aaaa bbbb cccc 2222');
  await field('factor-password').fill('una-clave-larga');
  await field('factor-change').click();
  await expect.element(field('factor-code')).toHaveAccessibleDescription('Ese código no es correcto.');
  factor = { since: null, recoveryCodesLeft: 0 };
  api.answer({ removeSecondFactor: () => undefined });
  await field('factor-change').click();
  await expect.element(page.getByText('La verificación en dos pasos está desactivada.')).toBeVisible();
  await expect.element(field('factor-setup')).toBeVisible();
});

test('two-step verification is in English on an English page', async () => {
  await showEnglish();
  api.answer({ startSecondFactor: () => ({ secret, uri }), confirmSecondFactor: () => ({ recoveryCodes }) });
  await open();
  await field('factor-setup').click();
  expectEnglishOnly();
  await field('factor-password').fill('una-clave-larga');
  await field('factor-start').click();
  await expect.element(field('factor-secret')).toBeVisible();
  expectEnglishOnly();
  await field('factor-code').fill('123456');
  await field('factor-confirm').click();
  await expect.element(field('recovery-codes')).toBeVisible();
  expectEnglishOnly();
});

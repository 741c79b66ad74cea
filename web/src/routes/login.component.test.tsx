import type { RouteObject } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { SessionView } from '#core/contracts/http/auth';
import { documentLoader } from '../lib/document.ts';
import { chooseLanguage, chosenLanguage } from '../lib/language.ts';
import { signupState } from '../lib/paths.ts';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { pass, passUntil, stopClock } from '../testing/clock.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { expectKeyboardDialog, pressTwice } from '../testing/keyboard-dialog.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import LoginPage from './login.tsx';

const api = installFakeApi();
const password = 'una-clave-larga';

const routes: RouteObject[] = [
  { path: '/login', element: <LoginPage /> },
  { path: '/dashboard', element: <h1>Tu Panel de Remesas</h1> },
  { path: '/ayuda', element: <h1>Ayuda</h1> },
  { path: '/', element: <h1>Inicio</h1> },
];

const field = (testid: string) => page.getByTestId(testid);
const press = (testid: string) => page.getByTestId(testid).click();

async function open(address = '/login', ready = 'login-submit') {
  const { router } = await renderApp(routes, address);
  await expect.element(field(ready)).toBeVisible();
  return { address: () => `${router.state.location.pathname}${router.state.location.search}`, router };
}

async function fillLogin() {
  await field('login-email').fill('carmen@example.com');
  await field('login-password').fill(password);
}

async function fillSignup() {
  await field('signup-name').fill('Carmen Rojas');
  await field('signup-email').fill('carmen@example.com');
  await field('signup-password').fill(password);
  await field('signup-confirm').fill(password);
}

const callsOf = (name: string) => api.calls.filter((call) => call.name === name);

test('what was typed to sign up outlasts a look at the other tab', async () => {
  await open('/login?signup=true', 'signup-submit');
  await fillSignup();
  await field('login-tab').click();
  await expect.element(field('login-submit')).toBeVisible();
  await field('signup-tab').click();
  await expect.element(field('signup-name')).toHaveValue('Carmen Rojas');
  await expect.element(field('signup-confirm')).toHaveValue(password);
});

describe('the sign-in form', () => {
  test('the sign-in form names what is missing, then says why signing in failed and keeps what was typed', async () => {
    await open();
    for (const text of ['Seguridad garantizada', 'Mejores tasas', 'Rapidez']) {
      await expect.element(page.getByText(text)).toBeVisible();
    }
    covers('route /login');
    await press('login-submit');
    await expectText('message login: incomplete');
    await expect.element(field('login-email')).toHaveFocus();
    await expectAccessibleAtAnyWidth();
    await fillLogin();
    api.answer({ login: () => ({ failure: 'internal', status: 500 }) });
    await press('login-submit');
    await expectText('message login: failed');
    api.answer({ login: () => 'no connection' });
    await press('login-submit');
    await expect.element(page.getByText('No hay conexión con Chasqui.', { exact: false })).toBeVisible();
    await expect.element(field('login-password')).toHaveValue(password);
    await expect.element(field('login-submit')).toBeEnabled();
  });

  test('the sign-in form is sent once, says that it is busy, and leads where the person was going', async () => {
    const answer = Promise.withResolvers<SessionView>();
    api.answer({ login: () => answer.promise });
    const { address } = await open('/login?next=%2Fayuda');
    await expect.element(page.getByText('Al entrar sigues con lo que abriste.')).toBeVisible();
    await fillLogin();
    await field('login-remember').click();
    pressTwice('login-submit');
    await expectText('message login: busy');
    await expect.element(field('login-submit')).toBeDisabled();
    answer.resolve(senderSession);
    await expectText('message login: done');
    await expect.element(page.getByRole('heading', { name: 'Ayuda' })).toBeVisible();
    expect(address()).toBe('/ayuda');
    expect(callsOf('login').map(({ body }) => body)).toEqual([
      { email: 'carmen@example.com', password, remember: true },
    ]);
    covers('rule remember me');
    const { email, name, phone, city, role } = senderSession.user;
    expect(localStorage.getItem('auth_token')).toBe(senderSession.token);
    expect(JSON.parse(localStorage.getItem('user_data') ?? '')).toEqual({ email, name, phone, city, role });
  });

  test('a person signs in where the browser refuses to store anything', async () => {
    const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    api.answer({ login: () => senderSession });
    await open();
    await fillLogin();
    await press('login-submit');
    await expect.element(page.getByRole('heading', { name: 'Tu Panel de Remesas' })).toBeVisible();
    expect(refuse).toHaveBeenCalled();
  });
});

describe('the second step of a sign-in', () => {
  const required = () => ({ failure: 'second_factor_required', status: 401, app: true, passkey: false }) as const;
  const openStep = async () => {
    api.answer({ login: required });
    const opened = await open('/login?next=%2Fayuda');
    await fillLogin();
    await press('login-submit');
    await expect.element(field('factor-code')).toHaveFocus();
    return opened;
  };

  test('an account with a second factor is asked for its code after the password, and leads on with it', async () => {
    const { address } = await openStep();
    await expectAccessibleAtAnyWidth();
    const message = 'Ese código no es correcto.';
    api.answer({ secondStep: () => ({ failure: 'second_factor_wrong', status: 422, message }) });
    await field('factor-code').fill('123456');
    await press('second-step-submit');
    await expect.element(field('factor-code')).toHaveAccessibleDescription(message);
    api.answer({ secondStep: () => 'no connection' });
    await press('second-step-submit');
    await expect.element(page.getByRole('alert').getByText('No hay conexión', { exact: false })).toBeVisible();
    api.answer({ secondStep: () => senderSession });
    await press('factor-swap');
    await field('factor-code').fill('abcd-efgh-2345-6723');
    pressTwice('second-step-submit');
    await expect.element(page.getByRole('heading', { name: 'Ayuda' })).toBeVisible();
    expect(address()).toBe('/ayuda');
    expect(callsOf('secondStep').map(({ body }) => body)).toEqual([
      { code: '123456' },
      { code: '123456' },
      { code: 'abcd-efgh-2345-6723' },
    ]);
  });

  test('a sign-in that waited too long begins again, with what was typed', async () => {
    await openStep();
    const message = 'Pasaron más de cinco minutos.';
    api.answer({ secondStep: () => ({ failure: 'sign_in_expired', status: 401, message }) });
    await field('factor-code').fill('123456');
    await press('second-step-submit');
    await expect.element(page.getByText(message)).toBeVisible();
    await expect.element(field('login-email')).toHaveValue('carmen@example.com');
  });
});

describe('the language of who signs in', () => {
  const english = { ...senderSession, user: { ...senderSession.user, locale: 'en' as const } };
  const signIn = async (address?: string) => {
    const load = vi.spyOn(documentLoader, 'open').mockReturnValue();
    api.answer({ login: () => english });
    await open(address);
    await fillLogin();
    await press('login-submit');
    return load;
  };

  test.each([
    ['/login', '/dashboard'],
    ['/login?next=%2Fayuda%3Fq%3D1%23pagos', '/en/ayuda?q=1#pagos'],
  ])(
    'who signs in at %s and reads English is led to %s in English, where nobody chose in this browser',
    async (at, to) => {
      const load = await signIn(at);
      await expect.poll(() => load.mock.calls).toEqual([[to]]);
      expect(chosenLanguage()).toBe('en');
    },
  );

  test('who signs in keeps the language that was chosen in this browser, whatever they read elsewhere', async () => {
    chooseLanguage('es');
    const load = await signIn();
    await expect.element(page.getByRole('heading', { name: 'Tu Panel de Remesas' })).toBeVisible();
    expect(load).not.toHaveBeenCalled();
    expect(chosenLanguage()).toBe('es');
  });
});

test('the tabs of the sign-in page follow the address, and the address the tabs', async () => {
  const { address, router } = await open('/login?signup=true&next=%2Fayuda', 'signup-name');
  covers('route /login?signup=true');
  await press('login-tab');
  await expect.element(field('login-password')).toBeVisible();
  expect(address()).toBe('/login?next=%2Fayuda');
  // As the front page's link to a first transfer does.
  await router.navigate('/login?next=%2Fayuda', { state: signupState });
  await expect.element(field('signup-name')).toBeVisible();
  await press('login-tab');
  await expect.element(field('login-password')).toBeVisible();
  await router.navigate('/login?signup=true&next=%2Fayuda');
  await expect.element(field('signup-name')).toBeVisible();
  await router.navigate(-1);
  await expect.element(field('login-password')).toBeVisible();
  covers('rule login tabs follow the address');
  await field('login-email').fill('juana@example.com');
  await press('login-forgot');
  await expect.element(field('recovery-email')).toHaveValue('juana@example.com');
  expect(address()).toBe('/login?next=%2Fayuda&recover=true');
  await router.navigate(-1);
  await expect.element(field('login-password')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Volver al inicio' })).toHaveAttribute('href', '/');
  await press('login-help');
  await expect.element(page.getByRole('heading', { name: 'Ayuda' })).toBeVisible();
});

describe('the sign-up form', () => {
  test('the sign-up form shows both legal texts, and is not sent before the terms are accepted', async () => {
    await open('/login?signup=true', 'signup-submit');
    await expect.element(field('signup-submit')).toBeDisabled();
    await expectText('message sign-up: terms hint');
    for (const [link, text] of [
      ['Términos de Servicio', 'al menos 18 años'],
      ['Política de Privacidad', '7 años'],
    ] as const) {
      const opener = page.getByRole('button', { name: link });
      await expectKeyboardDialog('features/account/signup-form.tsx', opener);
      const dialog = page.getByRole('dialog', { name: link });
      await expect.element(dialog.getByText('Última actualización: 17 de mayo de 2025')).toBeVisible();
      await expect.element(dialog.getByText(text, { exact: false }).first()).toBeVisible();
      await dialog.getByRole('button', { name: 'Entendido' }).click();
      await expect.element(dialog).not.toBeInTheDocument();
      await expect.element(opener).toHaveFocus();
    }
    covers('constant legal pages of 17 May 2025', 'rule legal modal', 'rule sign-up button');
    await expect.element(field('signup-terms')).not.toBeChecked();
    // The button is out of reach; password managers and scripts send a form without it.
    await fillSignup();
    document.querySelector('form')?.requestSubmit();
    await expectText('message sign-up: terms');
  });

  test('the sign-up form names what is missing and what does not fit', async () => {
    await open('/login?signup=true', 'signup-submit');
    await fillSignup();
    await field('signup-terms').click();
    await field('signup-name').fill('');
    await press('signup-submit');
    await expectText('message sign-up: incomplete');
    await expect.element(field('signup-name')).toHaveFocus();
    await expectAccessibleAtAnyWidth();
    await field('signup-name').fill('Carmen Rojas');
    await field('signup-confirm').fill('otra cosa');
    await press('signup-submit');
    await expectText('message sign-up: passwords differ');
    await field('signup-confirm').fill(password);
    api.answer({
      register: () => ({
        failure: 'email_taken',
        status: 409,
        message: 'Ya existe una cuenta con ese correo',
      }),
    });
    await press('signup-submit');
    await expectText('message sign-up: failed');
    await expect.element(field('signup-email')).toHaveAttribute('aria-invalid', 'true');
    api.answer({ register: () => ({ failure: 'internal', status: 500 }) });
    await press('signup-submit');
    await expectText('message sign-up: failed without a reason');
    await expect.element(field('signup-password')).toHaveValue(password);
  });

  test('a new account is created once, its toast stays five seconds, and the panel opens after one', async () => {
    const answer = Promise.withResolvers<SessionView>();
    api.answer({ register: () => answer.promise });
    const { address } = await open('/login?signup=true', 'signup-submit');
    await fillSignup();
    await field('signup-phone').fill('+34 600 000 000');
    await field('signup-city').fill('Madrid');
    await field('signup-occupation').selectOptions('autonomo');
    await field('signup-terms').click();
    pressTwice('signup-submit');
    await expectText('message sign-up: busy');
    stopClock();
    answer.resolve(senderSession);
    await passUntil(() => page.getByText('¡Cuenta creada exitosamente!').query());
    await expectText('message sign-up: done');
    await pass(900);
    expect(address()).toBe('/login?signup=true');
    await pass(150);
    await expect.element(page.getByRole('heading', { name: 'Tu Panel de Remesas' })).toBeVisible();
    covers('constant sign-up redirect 1 s');
    await pass(3800);
    await expect.element(page.getByText('¡Cuenta creada exitosamente!')).toBeVisible();
    await pass(1000);
    await expect.element(page.getByText('¡Cuenta creada exitosamente!')).not.toBeInTheDocument();
    covers('constant sign-up toast 5 s');
    expect(callsOf('register')).toMatchObject([
      { body: { phone: '+34 600 000 000', city: 'Madrid', occupation: 'autonomo', acceptedTerms: true } },
    ]);
  });
});

test('a toast stays five seconds, and a new one takes its place', async () => {
  await open();
  stopClock();
  const toasts = () => document.querySelectorAll('.mantine-Notification-root').length;
  await press('login-submit');
  await pass(50);
  expect(toasts()).toBe(1);
  await pass(3000);
  await press('login-submit');
  await pass(900);
  expect(toasts()).toBe(1);
  await pass(3900);
  expect(toasts()).toBe(1);
  await pass(1000);
  expect(toasts()).toBe(0);
  covers('constant toast 5 s, one visible');
});

describe('the password reset panel', () => {
  test('the password reset panel names what does not fit and gives the address back to the sign-in form', async () => {
    await open('/login?recover=true', 'recovery-submit');
    await press('recovery-submit');
    await expectText('message recovery: required');
    await expect.element(field('recovery-email')).toHaveFocus();
    await expectAccessibleAtAnyWidth();
    await field('recovery-email').fill('juana@example');
    await press('recovery-submit');
    await expectText('message recovery: format');
    await press('recovery-back');
    await expect.element(field('login-email')).toHaveValue('juana@example');
    await expect.element(field('login-forgot')).toHaveFocus();
    covers('rule recovery panel');
  });

  test('the password reset panel asks for one link, says what to do next after a second, for six', async () => {
    const answer = Promise.withResolvers<undefined>();
    api.answer({ recoverPassword: () => answer.promise });
    await open('/login?recover=true', 'recovery-submit');
    await field('recovery-email').fill('nadie@example.com');
    pressTwice('recovery-submit');
    await expectText('message recovery: busy');
    stopClock();
    answer.resolve(undefined);
    await passUntil(() => page.getByText('Correo enviado').query());
    await expectText('message recovery: sent');
    await expect.element(page.getByText('Si hay una cuenta con nadie@example.com', { exact: false })).toBeVisible();
    await pass(900);
    expect(page.getByText('Siguiente paso').query()).toBeNull();
    await pass(150);
    await expectText('message recovery: next step');
    await expect.element(field('login-email')).toHaveValue('nadie@example.com');
    await pass(5800);
    await expect.element(page.getByText('Siguiente paso')).toBeVisible();
    await pass(1000);
    await expect.element(page.getByText('Siguiente paso')).not.toBeInTheDocument();
    covers('constant recovery follow-up 1 s, 6 s');
    expect(callsOf('recoverPassword')).toHaveLength(1);
  });

  test('the password reset panel can be sent again after it failed', async () => {
    api.answer({ recoverPassword: () => 'no connection' });
    await open('/login?recover=true', 'recovery-submit');
    await field('recovery-email').fill('carmen@example.com');
    await press('recovery-submit');
    await expect.element(page.getByText('No pudimos enviar el correo')).toBeVisible();
    api.answer({ recoverPassword: () => undefined });
    await press('recovery-submit');
    await expect.element(page.getByText('Correo enviado')).toBeVisible();
  });
});

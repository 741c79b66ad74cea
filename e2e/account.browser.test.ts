import { expect, test, vi } from 'vitest';
import {
  fillLogin,
  fillSignup,
  hold,
  lastingOf,
  live,
  password,
  refusal,
  sessionCookie,
  stored,
  useAccountFixture,
} from './account-fixture.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { freeze, lastsAbout, pass, passUntil, type SeenToast, watchToasts } from './toasts.ts';

const dayMs = 24 * 3_600_000;

vi.setConfig({ testTimeout: 180_000 });

const { browser, app, open, account } = useAccountFixture();

test('a person signs in after what is missing and wrong was named, and signs out to the front page', async () => {
  const page = await open('/login', refusal(401));
  const email = await account();
  for (const words of ['Seguridad garantizada', 'Mejores tasas', 'Rapidez']) await page.getByText(words).waitFor();
  covers('route /login');

  await page.getByTestId('login-submit').click();
  await expectText(page, 'message login: incomplete');
  await fillLogin(page, email, 'equivocada');
  await page.getByTestId('login-submit').click();
  await expectText(page, 'message login: failed');

  await fillLogin(page, email);
  const letGo = await hold(page, '/api/auth/login');
  await page.getByTestId('login-submit').click();
  await expectText(page, 'message login: busy');
  expect(await page.getByTestId('login-submit').isDisabled()).toBe(true);
  letGo();
  await expectText(page, 'message login: done');
  await page.waitForURL('**/dashboard');
  covers('call POST /api/auth/login');

  const [token, user] = await stored(page);
  expect(token).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(user ?? '')).toEqual({ email, name: 'Carmen Rojas', phone: null, city: null, role: 'user' });
  await live(page);
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await page.getByTestId('nav-avatar').click();
  const signedOut = page.waitForResponse('**/api/auth/logout');
  await page.getByTestId('nav-logout').click();
  await signedOut;
  await page.getByTestId('home-rates').waitFor();
  expect(visited).not.toContain('/login');
  expect(new URL(page.url()).pathname).toBe('/');
  await expect.poll(() => stored(page)).toEqual([null, null]);
});

test('signing in and up show a message of their own for a failure without a reason', async () => {
  const page = await open('/login', refusal(500));
  await page.route('**/api/auth/*', (route) => route.fulfill({ status: 500, body: 'x' }));
  await fillLogin(page, 'alguien@example.com');
  await page.getByTestId('login-submit').click();
  await expectText(page, 'message login: failed');
  await page.getByTestId('login-tab').waitFor();
  await page.getByTestId('signup-tab').click();
  await fillSignup(page, 'alguien@example.com');
  await page.getByTestId('signup-terms').check();
  await page.getByTestId('signup-submit').click();
  await expectText(page, 'message sign-up: failed without a reason');
});

test('a person who ticks remember me stays signed in for 30 days, anybody else until the browser closes', async () => {
  const email = await account();
  const enter = async (remember: boolean) => {
    const page = await open('/login');
    await fillLogin(page, email);
    if (remember) await page.getByTestId('login-remember').check();
    await page.getByTestId('login-submit').click();
    await page.waitForURL('**/dashboard');
    return page;
  };
  const remembered = await enter(true);
  const expires = ((await sessionCookie(remembered))?.expires ?? 0) * 1000;
  expect(Math.abs(expires - (Date.now() + 30 * dayMs))).toBeLessThan(60_000);

  const passing = await enter(false);
  expect((await sessionCookie(passing))?.expires).toBe(-1);
  // A browser that is closed keeps what has an expiry, and its storage.
  const state = await passing.context().storageState();
  const kept = { ...state, cookies: state.cookies.filter(({ expires }) => expires !== -1) };
  const reopened = await open('/dashboard', { storageState: kept, ...refusal(401) });
  await reopened.waitForURL('**/login?next=%2Fdashboard');
  expect(await stored(reopened)).toEqual([null, null]);
  covers('rule remember me');
});

test('the tabs of the sign-in page follow the address, and the address the tabs', async () => {
  const page = await open('/login?signup=true&next=%2Fayuda');
  await page.getByTestId('signup-name').waitFor();
  covers('route /login?signup=true');
  await page.getByTestId('login-tab').click();
  await page.waitForURL('**/login?next=%2Fayuda');
  await page.getByTestId('login-password').waitFor();
  await page.getByTestId('nav-signup').click();
  await page.getByTestId('signup-name').waitFor();
  await page.goBack();
  await page.getByTestId('login-password').waitFor();
  covers('rule login tabs follow the address');
  await page.getByTestId('login-email').fill('juana@example.com');
  await page.getByTestId('login-forgot').click();
  await page.waitForURL('**/login?next=%2Fayuda&recover=true');
  expect(await page.getByTestId('recovery-email').inputValue()).toBe('juana@example.com');
  await page.goBack();
  await page.getByTestId('login-password').waitFor();
  await page.getByTestId('login-help').click();
  await page.waitForURL('**/ayuda');
  await page.goBack();
  await page.getByRole('link', { name: 'Volver al inicio' }).click();
  await page.waitForURL(`${app.url()}/`);
});

test('a person signs up after hints, both legal texts and a message for each field that does not fit', async () => {
  const page = await open('/login?signup=true', { ...refusal(409), ownContext: true });
  const seen = await watchToasts(page);
  await page.reload();
  const submit = page.getByTestId('signup-submit');
  expect(await submit.isDisabled()).toBe(true);
  await expectText(page, 'message sign-up: terms hint');

  for (const [link, title, words] of [
    ['Términos de Servicio', 'Términos de Servicio', 'al menos 18 años'],
    ['Política de Privacidad', 'Política de Privacidad', '7 años'],
  ] as const) {
    await page.getByRole('button', { name: link }).click();
    const modal = page.getByRole('dialog', { name: title });
    await modal.getByText('Última actualización: 17 de mayo de 2025').waitFor();
    await modal.getByText(words).waitFor();
    await modal.getByRole('button', { name: 'Entendido' }).click();
    await modal.waitFor({ state: 'hidden' });
  }
  covers('constant legal pages of 17 May 2025', 'rule legal modal', 'rule sign-up button');
  expect(await page.getByTestId('signup-terms').isChecked()).toBe(false);

  // The button is out of reach; password managers and scripts send a form without it.
  const email = await account();
  await fillSignup(page, email);
  await page.locator('form').evaluate((form) => (form as HTMLFormElement).requestSubmit());
  await expectText(page, 'message sign-up: terms');
  await page.getByTestId('signup-terms').check();
  await page.getByTestId('signup-name').fill('');
  await submit.click();
  await expectText(page, 'message sign-up: incomplete');
  await page.getByTestId('signup-name').fill('Carmen Rojas');
  await page.getByTestId('signup-confirm').fill('otra cosa');
  await submit.click();
  await expectText(page, 'message sign-up: passwords differ');
  await page.getByTestId('signup-confirm').fill(password);
  await submit.click();
  await expectText(page, 'message sign-up: failed');
  await page.getByText('Ya existe una cuenta con ese correo').waitFor();

  await page.getByTestId('signup-email').fill(`nueva-${email}`);
  await page.getByTestId('signup-phone').fill('+34 600 000 000');
  await page.getByTestId('signup-city').fill('Madrid');
  await page.getByTestId('signup-occupation').selectOption({ label: 'Autónomo' });
  const letGo = await hold(page, '/api/auth/register');
  await submit.click();
  await expectText(page, 'message sign-up: busy');
  await freeze(page);
  letGo();
  const created = () => page.getByText('¡Cuenta creada exitosamente!').isVisible();
  await passUntil(page, created);
  await expectText(page, 'message sign-up: done');
  covers('call POST /api/auth/register');
  await pass(page, 900);
  expect(new URL(page.url()).pathname).toBe('/login');
  await passUntil(page, async () => new URL(page.url()).pathname === '/dashboard');
  await pass(page, 6000);

  const { toasts, moves } = await seen();
  const done = toasts.find(({ text }) => text.includes('¡Cuenta creada exitosamente!')) as SeenToast;
  const left = moves.find(({ path, at }) => path === '/dashboard' && at > done.shownAt);
  expect(lastsAbout(1000, (left?.at ?? 0) - done.shownAt), `left after ${(left?.at ?? 0) - done.shownAt} ms`).toBe(
    true,
  );
  covers('constant sign-up redirect 1 s');
  const lasted = lastingOf(toasts, '¡Cuenta creada exitosamente!');
  expect(lastsAbout(5000, lasted), `was there for ${lasted} ms`).toBe(true);
  covers('constant sign-up toast 5 s');
  const [, user] = await stored(page);
  expect(JSON.parse(user ?? '')).toMatchObject({ phone: '+34 600 000 000', city: 'Madrid' });
});

test('a toast stays five seconds, and a new one takes its place', async () => {
  const page = await browser.newPage({ ownContext: true });
  const seen = await watchToasts(page);
  await page.goto(`${app.url()}/login`);
  await page.getByTestId('login-submit').waitFor();
  await freeze(page);
  const press = async (count: number) => {
    await page.getByTestId('login-submit').click();
    await passUntil(page, async () => (await seen()).toasts.length === count);
  };
  await press(1);
  await pass(page, 2000);
  await press(2);
  await pass(page, 1000);
  await press(3);
  await pass(page, 6000);
  const { toasts } = await seen();
  const [first, second, last] = toasts as [SeenToast, SeenToast, SeenToast];
  for (const [gone, next] of [
    [first, second],
    [second, last],
  ] as const) {
    expect(lastsAbout(0, (gone.goneAt ?? Number.POSITIVE_INFINITY) - next.shownAt)).toBe(true);
  }
  expect(lastsAbout(5000, (last.goneAt ?? 0) - last.shownAt)).toBe(true);
  covers('constant toast 5 s, one visible');
});

test('the legal texts have pages of their own', async () => {
  const page = await open('/terms');
  await page.getByRole('heading', { level: 1, name: 'Términos de Servicio' }).waitFor();
  await page.getByText('al menos 18 años').waitFor();
  await page.getByText('Última actualización').waitFor();
  covers('route /terms', 'constant minimum age 18');
  await page.goto(`${app.url()}/privacy`);
  await page.getByRole('heading', { level: 1, name: 'Política de Privacidad' }).waitFor();
  covers('route /privacy');
  await page.getByText('Los registros de envíos se guardan 7 años').waitFor();
  covers('constant retention 7 years');
  await page.getByRole('link', { name: 'Volver al inicio' }).click();
  await page.waitForURL(`${app.url()}/`);
});

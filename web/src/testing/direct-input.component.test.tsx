import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';

/** A button and a field, with every click and input that they or what covers them receive. */
function show() {
  const seen: string[] = [];
  document.body.innerHTML = '<button data-testid="go">Go</button><input data-testid="name" value="Ana" />';
  for (const type of ['click', 'input'])
    document.body.addEventListener(
      type,
      ({ target, isTrusted }) => seen.push(`${type} ${(target as HTMLElement).dataset.testid} ${isTrusted}`),
      { signal: cleared.signal },
    );
  return seen;
}
let cleared: AbortController;
beforeEach(() => {
  cleared = new AbortController();
});
afterEach(() => cleared.abort());

/** Covers the page until two frames have passed. */
function cover() {
  const sheet = document.createElement('div');
  sheet.style.cssText = 'position: fixed; inset: 0';
  sheet.dataset.testid = 'cover';
  document.body.append(sheet);
  requestAnimationFrame(() => requestAnimationFrame(() => sheet.remove()));
}

test('a click is trusted and focuses its button; typing over a field is trusted too', async () => {
  const seen = show();
  await page.getByTestId('go').click();
  await expect.element(page.getByTestId('go')).toHaveFocus();
  await page.getByTestId('name').fill('Rosa');
  await expect.element(page.getByTestId('name')).toHaveValue('Rosa');
  await page.getByTestId('name').fill('');
  await expect.element(page.getByTestId('name')).toHaveValue('');
  expect(seen).toEqual(['click go true', 'input name true', 'input name true']);
});

test('a click waits until its button is not covered, and never reaches what covers it', async () => {
  const seen = show();
  cover();
  await page.getByTestId('go').click();
  window.addEventListener('mousemove', cover, { once: true });
  await page.getByTestId('name').click();
  expect(seen).toEqual(['click go true', 'click name true']);
});

test('a click and typing wait until they are possible', async () => {
  const seen = show();
  const [button, field] = document.querySelectorAll<HTMLButtonElement | HTMLInputElement>('button, input');
  for (const [control, act] of [
    [button, () => page.getByTestId('go').click()],
    [field, () => page.getByTestId('name').fill('Rosa')],
  ] as const) {
    if (control) control.disabled = true;
    const done = act();
    requestAnimationFrame(() => requestAnimationFrame(() => control?.removeAttribute('disabled')));
    await done;
  }
  expect(seen).toEqual(['click go true', 'input name true']);
});

import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { CheckedPaper } from '#core/contracts/http/papers';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { expectEnglishOnly, showEnglish } from '../testing/english.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { plain } from '../testing/plain.ts';
import { renderApp } from '../testing/render-app.tsx';
import CheckPaperPage from './check-paper.tsx';

const api = installFakeApi();

const receipt: Extract<CheckedPaper['stated'], { kind: 'receipt' }>['receipt'] = {
  ...{ number: 'TR120512345678901', paidAt: '2026-11-20T14:02:00.000Z', state: 'in_review' },
  ...{ completedAt: null, returnedAt: null, payoutReference: null, cancelRequested: false },
  ...{ estimatedDelivery: '2026-11-24T15:00:00.000Z', sender: { name: 'C••• R•••', email: '•••' } },
  recipient: {
    ...{ name: 'R••• M•••', ci: '•••', phone: '•••', city: '•••', bankName: 'Banco Unión', accountEnding: '5678' },
  },
  ...{ currency: 'EUR', netAmount: '96.50', fee: '3.50', taxes: '0.00', total: '100.00' },
  ...{ rate: '13.38', markupPercent: '1.03', bolivianos: '1291.17', returned: '0.00', payoutReturned: '0.00' },
  card: { brand: 'visa', last4: '4242' },
};
const code = 'ABCDEFGHJKMNPQRSTVWX';
const paper: CheckedPaper = {
  ...{ code, issuedAt: '2026-11-20T15:00:00.000Z' },
  ...{ stated: { kind: 'receipt', receipt }, now: null },
};

const open = (path = `/verificar/${code}`) =>
  renderApp(
    // Both addresses: '/verificar', '/verificar/:code'.
    ['/verificar', '/verificar/:code'].map((path) => ({ path, element: <CheckPaperPage /> })),
    path,
  );

test('the address in a QR shows what was issued, and a file is compared without being sent', async () => {
  let asked = '';
  api.answer({
    checkPaper: () => paper,
    checkPaperFile: ({ params }) => {
      asked = String(params.hash);
      return asked.startsWith('ba7816bf') ? paper : { failure: 'not_found', status: 404 };
    },
  });
  await open();
  await expect.element(page.getByTestId('paper-standing')).toHaveAttribute('data-current', 'true');
  await expect
    .element(page.getByTestId('paper-lines'))
    .toMatchTextContent(/RemitenteC••• R•••.*Total pagado100,00 EUR/);
  await expectAccessibleAtAnyWidth();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await page
    .elementLocator(input as HTMLInputElement)
    .upload(new File(['abc'], 'recibo.pdf', { type: 'application/pdf' }));
  await expect.element(page.getByTestId('paper-file-true')).toBeVisible();
  expect(asked).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  await page
    .elementLocator(input as HTMLInputElement)
    .upload(new File(['abd'], 'recibo.pdf', { type: 'application/pdf' }));
  await expect.element(page.getByTestId('paper-file-altered')).toBeVisible();
});

test('a paper that a refund superseded says what it said and what holds today, in English too', async () => {
  await showEnglish();
  const now = { kind: 'receipt', receipt: { ...receipt, state: 'refunded', returned: '100.00' } } as const;
  api.answer({ checkPaper: () => ({ ...paper, now }) });
  await open();
  await expect.element(page.getByTestId('paper-standing')).toHaveAttribute('data-current', 'false');
  const changed = [...document.querySelectorAll('[data-changed=true]')].map(({ textContent }) => textContent);
  expect(plain(changed.join('\n'))).toMatch(/^StateIn progress.*Refunded in full/);
  expect(plain(changed.join('\n'))).toMatch(/What went back: Refunded to you–EUR 100\.00/);
  expectEnglishOnly('C••• R•••', 'R••• M•••', 'Banco Unión');
  await expectAccessibleAtAnyWidth();
});

test('a code that nobody issued is refused, and the page without one asks for it', async () => {
  api.answer({ checkPaper: () => ({ failure: 'not_found', status: 404 }) });
  const { router } = await open('/verificar');
  await page.getByTestId('paper-code').fill('ABCD-EFGH-JKMN-PQRS-TVWX');
  await page.getByTestId('paper-code-submit').click();
  await expect.element(page.getByTestId('paper-unknown')).toBeVisible();
  expect(router.state.location.pathname).toBe('/verificar/ABCD-EFGH-JKMN-PQRS-TVWX');
});

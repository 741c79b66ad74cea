import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { PayoutRequest } from '#core/contracts/bank';
import { BankRefusedRequestError, BankUnavailableError, connectBank } from './bank.ts';

const request: PayoutRequest = {
  externalId: '0b5a4a34-7f0b-4c7e-9d4b-1f2f0a1d9c11',
  amount: '1447.50',
  currency: 'BOB',
  beneficiary: {
    name: 'Rosa Mamani Condori',
    ci: '4567890 LP',
    bankName: 'Banco Unión',
    bankAccount: '10000012345678',
    phone: '+591 71234567',
    city: 'La Paz',
  },
};

let server: Server | undefined;
afterEach(() => server?.close());

/** A client of a bank that answers like this. */
async function bankThat(answer: RequestListener) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return connectBank({
    apiUrl: `http://127.0.0.1:${port}`,
    apiKey: 'key',
    statementFormat: 'csv',
    completionWindowMs: 0,
  });
}

it('does not follow redirects of the bank, so that no other server gets the beneficiary', async () => {
  const requests: string[] = [];
  const bank = await bankThat((incoming, response) => {
    requests.push(incoming.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  await expect(bank.pay(request, 'payout:1')).rejects.toThrow('the bank answered 307');
  expect(requests).toEqual(['/v1/payouts']);
});

it('gives up on an endless bank answer instead of keeping it in memory', async () => {
  const bank = await bankThat((_incoming, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (response.write(' '.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  await expect(bank.pay(request, 'payout:1')).rejects.toThrow('the answer is larger than 65536 bytes');
});

const answers: Readonly<Record<string, object>> = {
  paid: { status: 'paid', reference: 'BO1', rejection: null },
  rejected: { status: 'rejected', reference: null, rejection: { code: 'account_closed', message: 'Cerrada.' } },
  pending: { status: 'pending', reference: null, rejection: null },
};
const rest = { id: 'bp_1', externalId: request.externalId, amount: request.amount, currency: 'BOB' } as const;
const createdAt = '2026-11-26T12:00:00.000Z';

const sending =
  (status: number, body: string | object): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

test.each(Object.entries(answers))(
  'accepts the bank’s answer %s with its additional fields',
  async (status, answer) => {
    const body = { ...rest, ...answer, returnedAmount: '0.00', createdAt };
    const bank = await bankThat(sending(201, body));
    expect(await bank.pay(request, 'payout:1')).toEqual(body);
    expect(await bank.find(request.externalId)).toMatchObject({ status });
  },
);

const page = '<!doctype html><title>Bad gateway</title>';

test.each([
  ['a page of a proxy', page],
  ['nothing', ''],
  ['another object', { ok: true }],
  ['a payment without a number', { ...rest, ...answers.paid, reference: null, createdAt }],
  ['a rejection without a reason', { ...rest, ...answers.rejected, rejection: null, createdAt }],
  ['an unknown status', { ...rest, status: 'accepted', reference: null, rejection: null, createdAt }],
  ['another currency', { ...rest, ...answers.paid, currency: 'USD', createdAt }],
] as const)('a 200 answer of the bank with %s does not count as an answer', async (_, body) => {
  const bank = await bankThat(sending(200, body));
  await expect(bank.pay(request, 'payout:1')).rejects.toBeInstanceOf(BankUnavailableError);
  await expect(bank.find(request.externalId)).rejects.toBeInstanceOf(BankUnavailableError);
});

describe.each([
  ['in the bank’s format', { code: 'refused', message: 'No.' }],
  ['with a page', page],
  ['as if it were paid', { ...rest, ...answers.paid, createdAt }],
])('an error %s', (_, body) => {
  test.each([400, 409, 413, 422])('%i concerns that one request', async (status) => {
    const bank = await bankThat(sending(status, body));
    await expect(bank.pay(request, 'payout:1')).rejects.toBeInstanceOf(BankRefusedRequestError);
  });

  test.each([301, 401, 402, 403, 404, 405, 407, 408, 410, 425, 429, 500, 501, 502, 503, 504])(
    '%i is not the bank’s answer',
    async (status) => {
      const bank = await bankThat(sending(status, body));
      await expect(bank.pay(request, 'payout:1')).rejects.toBeInstanceOf(BankUnavailableError);
      await expect(bank.find(request.externalId)).rejects.toBeInstanceOf(BankUnavailableError);
    },
  );
});

test('a bank that does not know a payout answers with a specific code', async () => {
  const bank = await bankThat(sending(404, { code: 'payout_not_found', message: 'No payout has this externalId.' }));
  expect(await bank.find(request.externalId)).toBeNull();
  await expect(bank.pay(request, 'payout:1')).rejects.toBeInstanceOf(BankUnavailableError);
});

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { PayoutRequest } from '#core/contracts/bank';
import { connectBank } from './bank.ts';

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

/** The client of a bank that answers like this. */
async function bankThat(answer: RequestListener) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return connectBank({ apiUrl: `http://127.0.0.1:${port}`, apiKey: 'key', statementFormat: 'csv' });
}

it('does not follow a redirect of the bank, so that no other server gets the beneficiary', async () => {
  const asked: string[] = [];
  const bank = await bankThat((incoming, response) => {
    asked.push(incoming.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  await expect(bank.pay(request, 'payout:1')).rejects.toThrow('the bank answered 307');
  expect(asked).toEqual(['/v1/payouts']);
});

it('gives up on a bank answer that never ends instead of keeping it in memory', async () => {
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

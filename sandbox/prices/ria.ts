/** Ria's calculator: a session token (valid for twenty minutes) first, then the price. */
import { z } from 'zod';
import { priceOf, received } from './pricing.ts';
import { amount, figure, money, refusal, type Site, type SiteRequest, sendCurrency } from './site.ts';

const SESSION_MS = 20 * 60_000;

const order = z.object({
  selections: z.object({
    countryFrom: z.string().length(2),
    countryTo: z.literal('BO'),
    currencyFrom: sendCurrency,
    currencyTo: z.literal('BOB').nullish(),
    amountFrom: amount,
    paymentMethod: z.enum(['DebitCard', 'CreditCard', 'BankAccount']),
    deliveryMethod: z.enum(['BankDeposit', 'OfficePickup', 'MobilePayment']),
  }),
});

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token in Ria's format; the sandbox reads only its expiry. */
function tokenUntil(end: number): string {
  const claims = { clientType: 'PublicSite', iss: 'AuthServer', exp: Math.floor(end / 1000) };
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.sandbox`;
}

function isGood(authorization: string | undefined, now: number): boolean {
  const claims = /^Bearer [\w-]+\.([\w-]+)\.sandbox$/.exec(authorization ?? '')?.[1];
  if (!claims) return false;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: unknown };
    return typeof exp === 'number' && exp * 1000 > now;
  } catch {
    return false;
  }
}

function session({ now }: SiteRequest) {
  const jwtToken = tokenUntil(now + SESSION_MS);
  return {
    status: 200,
    headers: { bearer: jwtToken },
    body: { authToken: { tokenType: 'Bearer', jwtToken }, isSuccess: true },
  };
}

function calculate({ body, header, market, now }: SiteRequest) {
  if (!isGood(header('authorization'), now)) return refusal(401, { message: 'Unauthorized' });
  const read = order.safeParse(body);
  if (!read.success) {
    const message = z.prettifyError(read.error);
    return refusal(400, { model: null, errorResponse: { errors: [{ code: 'InvalidSelections', message }] } });
  }
  const { currencyFrom: currency, amountFrom: sent, ...selected } = read.data.selections;
  const price = priceOf('ria', market, currency, sent);
  const calculations = {
    amountFrom: money(sent),
    amountTo: money(received(sent, price)),
    exchangeRate: figure(price.rate),
    transferFee: money(price.feeMinor),
    totalFeesAndTaxes: money(price.feeMinor),
    totalAmount: money(sent + price.feeMinor),
    isBestRate: true,
    variableRates: ['Banco Unión', 'Banco Mercantil Santa Cruz'].map((payAgentName, index) => ({
      ...{ value: String(7001 + index), exchangeRate: figure(price.rate) },
      ...{ payAgentName, payAgentId: 7001 + index, isBestRate: index === 0 },
    })),
  };
  const selections = { ...selected, currencyFrom: currency, currencyTo: 'BOB', amountFrom: money(sent) };
  return { status: 200, body: { model: { transferDetails: { selections, calculations } }, errorResponse: null } };
}

export const ria: Site = {
  routes: [
    { method: 'GET', path: /^\/Authorization\/session$/, respond: session },
    { method: 'POST', path: /^\/MoneyTransferCalculator\/Calculate$/i, respond: calculate },
  ],
  changedShape: [/"exchangeRate"/g, '"rate"'],
};

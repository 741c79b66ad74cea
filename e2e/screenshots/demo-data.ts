import { randomInt, randomUUID } from 'node:crypto';
import { endpoints } from '#core/contracts/http/endpoints';
import type { TransferState } from '#core/transfers/states';
import { findAdmins } from '#domain/accounts/account.repository';
import { migrateDatabase } from '../../infra/database.ts';
import type { OwnProduct } from '../../infra/testing/product.ts';
import { controlSandbox } from '../../sandbox/testing/control-client.ts';
import { openDatabase } from '../../testing/database.ts';
import { timeLapse } from '../../worker/testing/time-lapse.ts';
import { ApiClient, emailedCode, payWithCard, sampleRecipient, signIn } from '../api-client.ts';
import { until } from '../until.ts';

/** Of windows of two hours: enough for the charts' shortest spans to have a shape. */
const collectedWindows = Number(process.env.WINDOWS ?? 96);
const password = 'una-clave-larga';
/** So that the demonstration can pay more than the daily limit, approved by one person; sweeps run every second. */
export const demoEnv = {
  ...{ LIMIT_DAY_USD: '9000', LIMIT_MONTH_USD: '20000', REVIEW_TWO_PERSONS_USD: '9000', SWEEP_SECONDS: '1' },
};

/** The demo accounts that `npm start` creates, and a sender who has just signed up. */
export interface Demo {
  readonly url: string;
  readonly stripeUrl: string;
  readonly sender: Account;
  readonly newcomer: Account;
  readonly admin: Account;
  readonly secondAdmin: Account;
}

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly client: ApiClient;
}

/** Run before the product starts: creates the demo accounts with their history and a time of collected prices. */
export async function seedHistory({ config, database: urls }: OwnProduct): Promise<void> {
  const { env } = config;
  await migrateDatabase({ env, database: urls, seed: true, signal: new AbortController().signal });
  const database = await openDatabase(urls.url, { poolMax: 1 });
  const [admin] = await findAdmins(database.fork());
  if (!admin) throw new Error('there is no admin: start the product once before');
  await database.close();
  await timeLapse({ databaseUrl: urls.url, windows: collectedWindows, seed: 2026, adminId: admin.id });
}

type Recipient = Partial<typeof sampleRecipient> & { name: string };

const family = {
  rosa: { name: 'Rosa Mamani Condori', relationship: 'Mamá' },
  elena: {
    name: 'Elena Choque Flores',
    bankName: 'Tigo Money',
    bankAccount: '76541230',
    phone: '+591 76541230',
    city: 'El Alto',
    relationship: 'Hermana',
  },
  ramiro: {
    name: 'Ramiro Vargas Suárez',
    bankName: 'Banco Ganadero',
    bankAccount: '1310456789',
    city: 'Santa Cruz de la Sierra',
    relationship: 'Papá',
  },
} satisfies Record<string, Recipient>;

/** Transfers of other senders on the same day, for the admins' lists. */
const others: readonly {
  name: string;
  recipient: Recipient;
  amount: string;
  currency: 'eur' | 'usd';
  end: 'in_review' | 'completed' | 'rejected' | 'cancelled';
}[] = [
  { name: 'Wilson Condori Apaza', recipient: family.elena, amount: '250.00', currency: 'usd', end: 'completed' },
  { name: 'Marisol Quispe Torrez', recipient: family.ramiro, amount: '480.00', currency: 'eur', end: 'completed' },
  { name: 'Freddy Vargas Peña', recipient: family.ramiro, amount: '1200.00', currency: 'usd', end: 'in_review' },
  { name: 'Nelly Gutiérrez Rocha', recipient: family.rosa, amount: '90.00', currency: 'eur', end: 'rejected' },
  { name: 'Óscar Limachi Huanca', recipient: family.elena, amount: '75.50', currency: 'eur', end: 'cancelled' },
  { name: 'Marisol Quispe Torrez', recipient: family.rosa, amount: '310.00', currency: 'eur', end: 'in_review' },
];

/** Documents about which an admin decides, two of them the same; others are accepted at once. */
const documents: Readonly<Record<string, string>> = {
  'Marisol Quispe Torrez': '48211111',
  'Nelly Gutiérrez Rocha': '48211111',
};

/** Says who a person is, and `shows` the document where that was accepted. */
export async function identify(
  { client }: Account,
  legalName: string,
  { number = `${randomInt(1e7, 1e8)}9`, shows = true }: { number?: string | undefined; shows?: boolean } = {},
): Promise<void> {
  const body = { documentType: 'passport', country: 'BO', number, legalName, birthDate: '1990-05-17' } as const;
  const { tier } = await client.call(endpoints.submitIdentity, { body });
  if (tier === 'email' || !shows) return;
  const data = Buffer.from('%PDF-1.4 pasaporte').toString('base64');
  await client.call(endpoints.submitDocument, {
    body: { front: { name: 'pasaporte.pdf', type: 'application/pdf', data } },
  });
}

/** Fills the running product through its own api. */
export async function createDemoData({ config }: OwnProduct): Promise<Demo> {
  const url = () => config.publicUrl;
  const known = async (email: string): Promise<Account> => {
    const demoPassword = config.demoPassword ?? '';
    return { email, password: demoPassword, client: await signIn(url, email, demoPassword) };
  };
  const urls = { url: config.publicUrl, stripeUrl: config.sandbox?.url ?? '' };
  const demo: Demo = {
    ...urls,
    sender: await known('demo@chasqui.test'),
    newcomer: await signUpAs(urls, 'Carmen Rojas Flores', 'carmen.rojas@example.com'),
    admin: await known('admin@chasqui.test'),
    secondAdmin: await known('admin2@chasqui.test'),
  };
  await takeProposals(demo);
  const people = new Map<string, Account>();
  for (const { name, recipient, amount, currency, end } of others) {
    const email = `${name.split(' ')[0]?.normalize('NFD').replace(/\W/g, '').toLowerCase()}@example.com`;
    const person = people.get(name) ?? (await signUpAs(urls, name, email));
    if (!people.has(name)) await identify(person, name, { number: documents[name] });
    people.set(name, person);
    const recipientId = await addRecipient(person, recipient);
    const id = await send(demo, person, { recipientId, amount, currency });
    await endAs(demo, person, id, end);
  }
  await fillSender(demo);
  return demo;
}

/** One admin accepts the proposed rates, and the second one confirms where that is needed. */
async function takeProposals({ admin, secondAdmin }: Demo): Promise<void> {
  const currencies = await until('rates are proposed', async () => {
    const desk = await admin.client.call(endpoints.rateManagement);
    const { USD, EUR } = desk.currencies;
    return USD.proposal !== null && EUR.proposal !== null && desk.currencies;
  });
  for (const currency of ['USD', 'EUR'] as const) {
    const body = { currency, rate: currencies[currency].proposal ?? '', reason: 'Propuesta de la mañana' };
    const { change } = await admin.client.call(endpoints.setRate, { body });
    if (change.state === 'activated') continue;
    await secondAdmin.client.call(endpoints.confirmRateChange, { params: { id: change.id } });
  }
}

async function fillSender(demo: Demo): Promise<void> {
  const { sender } = demo;
  await identify(sender, 'Lucía Mamani');
  const elena = await addRecipient(sender, family.elena);
  const { items } = await sender.client.call(endpoints.listRecipients);
  const cancelled = await send(demo, sender, { recipientId: elena, amount: '60.00', currency: 'eur' });
  await endAs(demo, sender, cancelled, 'cancelled');
  const done = await send(demo, sender, { recipientId: elena, amount: '150.00', currency: 'eur' });
  await endAs(demo, sender, done, 'completed');
  await send(demo, sender, { recipientId: items[0]?.id ?? elena, amount: '320.00', currency: 'eur' });
  await sender.client.call(endpoints.createRepeat, {
    body: { recipientId: elena, amount: '150.00', currency: 'eur', every: 'month', day: 5 },
  });
  const { rates } = await sender.client.call(endpoints.getRates);
  const raised = (rate: string, by: number) => (Number(rate) + by).toFixed(2);
  for (const [currency, by] of [
    ['EUR', 0.2],
    ['USD', 0.35],
  ] as const) {
    await sender.client.call(endpoints.createRateAlert, { body: { currency, rate: raised(rates[currency].rate, by) } });
  }
}

export async function signUpAs(
  { url, stripeUrl }: Pick<Demo, 'url' | 'stripeUrl'>,
  name: string,
  email: string,
): Promise<Account> {
  const client = new ApiClient(() => url);
  await client.call(endpoints.register, { body: { name, email, password, acceptedTerms: true } });
  const code = await emailedCode({ sandbox: controlSandbox(stripeUrl) }, email);
  await client.call(endpoints.proveEmail, { body: { code } });
  return { email, password, client };
}

export async function addRecipient({ client }: Account, recipient: Recipient): Promise<string> {
  return (
    await client.call(endpoints.createRecipient, { body: { ...sampleRecipient, ...recipient, saveAnyway: true } })
  ).id;
}

/** A transfer whose card, a good one unless given, is held. */
export async function send(
  demo: Demo,
  { client }: Account,
  transfer: { recipientId?: string; amount: string; currency: 'eur' | 'usd' },
  card?: string,
): Promise<string> {
  const payment = await client.call(endpoints.createPaymentIntent, {
    body: { ...transfer, birthDate: '1990-05-17' },
    headers: { 'idempotency-key': randomUUID() },
  });
  await payWithCard(demo.stripeUrl, payment, card);
  await reaches(client, payment.transferId, 'in_review');
  return payment.transferId;
}

async function endAs(demo: Demo, { client }: Account, id: string, end: string): Promise<void> {
  const params = { id };
  if (end === 'completed') {
    // Names are checked against the lists first, which takes a moment.
    await until('the transfer is approved', () => demo.admin.client.call(endpoints.approve, { params }));
  }
  if (end === 'rejected') {
    const body = { reason: 'El nombre de la cuenta no coincide con el de la persona que recibe.' };
    await demo.admin.client.call(endpoints.reject, { params, body });
  }
  if (end === 'cancelled') await client.call(endpoints.cancelTransfer, { params });
  await reaches(client, id, end as TransferState);
}

export async function reaches(client: ApiClient, id: string, state: TransferState): Promise<void> {
  await until(`the transfer is ${state}`, async () => {
    const transfer = await client.call(endpoints.getTransfer, { params: { id } });
    return transfer.state === state;
  });
}

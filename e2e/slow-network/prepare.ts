import type { Browser } from 'playwright-core';
import { endpoints } from '#core/contracts/http/endpoints';
import type { Config } from '../../infra/config.ts';
import { controlSandbox } from '../../sandbox/testing/control-client.ts';
import { openPayment, payWithCard, sampleRecipient, signIn, signUp } from '../api-client.ts';
import { approve, type Payer, untilCompleted } from '../paid-transfer.ts';
import type { Account, Prepared } from './waits.ts';

/** Payouts to one bank, as many as its measured time of arrival needs (core/transfers/arrival-times.ts). */
const measuredPayouts = 10;

/** Signs the admin in and has payouts measured. */
export async function prepare(config: Config, databaseUrl: string, browser: Browser): Promise<Prepared> {
  const url = () => config.publicUrl;
  const [email, password] = ['admin@chasqui.test', config.demoPassword ?? ''];
  const admin = { email, password, client: await signIn(url, email, password) };
  const sandboxUrl = config.sandbox?.url ?? '';
  const product = { url, browser, admin, databaseUrl, sandboxUrl, sandbox: controlSandbox(sandboxUrl) };
  const payer = await payerOf(product);
  for (let paid = 0; paid < measuredPayouts; paid += 1) {
    const id = await holdOf(product, payer);
    await approve(admin.client, id);
    await untilCompleted(payer, id);
  }
  return product;
}

async function payerOf(product: Prepared): Promise<Payer & { readonly account: Account }> {
  const sender = await signUp(product);
  const { user } = await sender.call(endpoints.me);
  const { id: recipientId } = await sender.call(endpoints.createRecipient, { body: sampleRecipient });
  return { sender, recipientId, account: { email: user.email, password: 'una-clave-larga', client: sender } };
}

/** A person who has sent money; by default the transfer is under review. */
export async function senderWithTransfer(
  product: Prepared,
): Promise<Account & { transferId: string; recipientId: string }> {
  const payer = await payerOf(product);
  const transferId = await holdOf(product, payer);
  return { ...payer.account, transferId, recipientId: payer.recipientId };
}

/** Pays a small transfer. */
async function holdOf({ sandboxUrl }: Prepared, { sender, recipientId }: Payer): Promise<string> {
  const payment = await openPayment(sender, { amount: '20.00', recipientId });
  await payWithCard(sandboxUrl, payment);
  await sender.call(endpoints.confirmTransaction, { body: { paymentIntentId: payment.paymentIntentId } });
  return payment.transferId;
}

import { endpoints } from '#core/contracts/http/endpoints';
import {
  type ApiClient,
  openPayment,
  type Product,
  pathOf,
  payWithCard,
  sampleRecipient,
  signUp,
} from './api-client.ts';
import { until } from './until.ts';

export interface Payer {
  readonly sender: ApiClient;
  readonly recipientId: string;
}

/** A fresh sender with a recipient. */
export async function newPayer(product: Product): Promise<Payer> {
  const sender = await signUp(product);
  const { id } = await sender.call(endpoints.createRecipient, { body: sampleRecipient });
  return { sender, recipientId: id };
}

/** Opens a payment, pays with a card that works, and says so as a browser does. Returns the transfer's id. */
export async function hold({ sender, recipientId }: Payer, stripeUrl: string, key?: string): Promise<string> {
  const payment = await openPayment(sender, { amount: '20.00', recipientId, ...(key !== undefined && { key }) });
  await payWithCard(stripeUrl, payment);
  await sender.call(endpoints.confirmTransaction, { body: { paymentIntentId: payment.paymentIntentId } });
  return payment.transferId;
}

/** Approves a transfer, once its names were checked. */
export async function approve(admin: ApiClient, id: string): Promise<void> {
  const decide = async () => {
    const { status, body } = await admin.request('POST', pathOf(endpoints.approve, { params: { id } }));
    // The answer to an earlier try may have been lost.
    return status < 300 || body?.code === 'already_decided';
  };
  await until('it is approved', decide, 60_000);
}

/** Waits until its sender sees a transfer completed. */
export async function untilCompleted({ sender }: Payer, id: string): Promise<void> {
  const seen = async () => (await sender.call(endpoints.getTransfer, { params: { id } })).status === 'completed';
  await until('the transfer is completed', seen, 90_000);
}

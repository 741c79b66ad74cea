import type { Stripe } from 'stripe';
import { formatMinor } from '#core/money/money';
import { formatRate, type Rate } from '#core/rates/rate';
import { arrivedMinor, depositOf } from '#core/transfers/arrived';
import { referenceOf } from '#core/transfers/reference';
import { paidBy } from '#core/transfers/rest';
import { transferStates } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { findUser } from '../accounts/account.repository.ts';
import type { Dispute } from '../disputes/dispute.repository.ts';
import { findOperations, type Operation } from '../provider-calls/operation.repository.ts';
import { findDisclosure } from '../transfers/disclosure.repository.ts';
import { findSteps, findTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { type Evidence, renderEvidence } from './evidence-pdf.ts';

const utc = (at: Date | null | undefined): string =>
  at ? `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC` : 'none';

/**
 * The evidence for a payment: the quote accepted by the sender, the checks of the card, and the payouts less returns.
 * Card facts are read from Stripe.
 */
export async function collectEvidence(em: EntityManager, stripe: Stripe, dispute: Dispute): Promise<Evidence> {
  const transfer = await findTransfer(em, dispute.transferId);
  const sender = transfer && (await findUser(em, transfer.userId));
  if (!transfer?.paymentIntentId || !sender) throw new Error('a dispute without its transfer');
  const intent = await stripe.paymentIntents.retrieve(transfer.paymentIntentId, { expand: ['latest_charge'] });
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const steps = await findSteps(em, [transfer.id]);
  const disclosure = await findDisclosure(em, transfer.id);
  const payouts = await findOperations(em, transfer.id, 'payout');
  // A transfer stays completed by a second payout, even if the bank returned the whole first one.
  const isDeposited = payouts.some(
    (one) => !one.payoutTarget && one.status === 'succeeded' && one.returnedMinor < one.amountMinor,
  );
  const deposit = isDeposited ? depositOf(transfer, steps) : null;
  const { currency, payoutTarget } = transfer;
  const { acceptedRate, acceptedBolivianosMinor } = transfer;
  const rateLine = (rate: Rate) => `1 ${currency} = ${formatRate(rate)} BOB`;
  const money = (minor: bigint, of: string = currency) => `${formatMinor(minor)} ${of}`;
  const family = payoutTarget ? `${payoutTarget.name}, ${payoutTarget.bankName}` : 'none';
  return {
    title: `Evidence for dispute ${dispute.id}`,
    statement: dispute.responseText ?? '',
    sections: [
      {
        title: 'Payment',
        facts: [
          ['Reference', referenceOf(transfer.id)],
          ['Payment', transfer.paymentIntentId],
          ['Paid', utc(transfer.paidAt)],
          ['Amount charged', money(transfer.amountMinor)],
          ['Amount disputed', `${money(dispute.amountMinor)} (${dispute.reason})`],
        ],
      },
      {
        title: 'Quote that the customer accepted before paying',
        facts: [
          ['Shown and accepted', utc(transfer.createdAt)],
          ['Fee', money(transfer.feeMinor)],
          ['Amount exchanged', money(transfer.netMinor)],
          ['Exchange rate', rateLine(acceptedRate ?? transfer.rate)],
          ['Promised to the recipient', money(acceptedBolivianosMinor ?? transfer.bolivianosMinor, 'BOB')],
        ],
      },
      ...(acceptedRate == null
        ? []
        : [
            {
              title: 'Better rate that was applied for the customer before charging',
              facts: [
                ['Applied', utc(transfer.decidedAt)],
                ['Exchange rate', rateLine(transfer.rate)],
                ['Promised to the recipient', money(transfer.bolivianosMinor, 'BOB')],
              ] as const,
            },
          ]),
      ...(disclosure?.texts ?? []).map(({ language, title, lines }) => ({
        title: `Disclosure shown before paying (${language}, version ${disclosure?.version}): ${title}`,
        facts: lines.map(([term, value]) => [term, value] as const),
      })),
      { title: 'Card and authentication', facts: cardFacts(charge) },
      {
        title: 'Customer',
        facts: [
          ['Name', sender.name],
          ['E-mail', sender.email],
          ['E-mail verified', utc(sender.emailVerifiedAt)],
          ['Customer since', utc(sender.createdAt)],
        ],
      },
      {
        title: 'Delivery',
        facts: [
          ['Recipient', family],
          ['Account', payoutTarget ? `ends in ${payoutTarget.bankAccount.slice(-4)}` : 'none'],
          ['Address', payoutTarget ? `${payoutTarget.address}, ${payoutTarget.city}, Bolivia` : 'none'],
          ['Paid to the recipient', utc(deposit?.at)],
          ...payouts.flatMap(payoutFacts),
          ['Paid and not returned by the bank', money(paidBy(payouts), 'BOB')],
        ],
      },
      { title: 'Timeline', facts: steps.map(({ state, at }) => [utc(at), transferStates[state]] as const) },
    ],
    customerName: sender.name,
    customerEmail: sender.email,
    product: `Remittance ${referenceOf(transfer.id)}: ${soldText(transfer, family)}`,
    serviceDate: deposit ? deposit.at.toISOString().slice(0, 10) : null,
  };
}

/** The product sold, and how much of it was delivered. */
function soldText(transfer: Transfer, family: string): string {
  const [promised, arrived] = [`${formatMinor(transfer.bolivianosMinor)} BOB`, arrivedMinor(transfer)];
  if (arrived === transfer.bolivianosMinor) return `${promised} paid to ${family}.`;
  const paid = arrived > 0n ? `of which ${formatMinor(arrived)} BOB are paid` : 'not paid';
  return `${promised} promised to ${family}, ${paid}.`;
}

/** The amount of a payout, and how much of it the bank returned; nothing for one that was never made. */
function payoutFacts({
  status,
  amountMinor,
  returnedMinor,
  providerReference,
  payoutTarget,
  provider,
}: Operation): [string, string][] {
  if (status !== 'succeeded' && returnedMinor === 0n) return [];
  const account = payoutTarget ? `, to the account that ends in ${payoutTarget.bankAccount.slice(-4)}` : '';
  const back = returnedMinor > 0n ? `; the bank returned ${formatMinor(returnedMinor)} BOB` : '';
  const byHand = provider === 'manual' ? ', paid by a person, not necessarily to the account' : '';
  return [
    ['Payout', `${formatMinor(amountMinor)} BOB, reference ${providerReference ?? 'none'}${byHand}${account}${back}`],
  ];
}

function cardFacts(charge: Stripe.Charge | null): [string, string][] {
  const card = charge?.payment_method_details?.card;
  if (!card) return [['Card', 'none']];
  const secure = card.three_d_secure;
  return [
    ['Card', `${card.brand ?? ''} ending in ${card.last4 ?? ''}, issued in ${card.country ?? 'an unknown country'}`],
    ['Security code', card.checks?.cvc_check ?? 'not checked'],
    [
      '3-D Secure',
      secure ? `${secure.result ?? 'unknown'}, version ${secure.version ?? 'unknown'}` : 'not requested by the card',
    ],
    ['Electronic commerce indicator', card.electronic_commerce_indicator ?? 'none'],
    ['Authorization code', card.authorization_code ?? 'none'],
    ['Network transaction', card.network_transaction_id ?? 'none'],
  ];
}

/** The evidence as a PDF. */
export async function evidencePdf(em: EntityManager, stripe: Stripe, dispute: Dispute): Promise<Buffer> {
  return renderEvidence(await collectEvidence(em, stripe, dispute), dispute.changedAt);
}

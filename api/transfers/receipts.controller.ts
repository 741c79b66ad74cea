import { Controller, Inject } from '@nestjs/common';
import { Failure } from '#core/contracts/failures';
import { endpoints } from '#core/contracts/http/endpoints';
import type { ReceiptView } from '#core/contracts/http/receipts';
import { formatMinor } from '#core/money/money';
import { formatRate } from '#core/rates/rate';
import type { TransferState } from '#core/transfers/states';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import type { ApiConfiguration } from '#platform/configuration/api';
import { Database } from '#platform/database/database';
import { Call, type CallOf, Serve } from '../http/serve.ts';
import { ENV } from '../tokens.ts';

const accountDigitsShown = 4;
const returnedStates: readonly TransferState[] = ['rejected', 'cancelled', 'failed', 'expired', 'refunded'];

/** Receipts of a sender's own transfers. Every figure is the stored one: nothing is computed again. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly database: Database,
    @Inject(ENV) private readonly env: ApiConfiguration,
  ) {}

  @Serve(endpoints.receipt)
  async receipt(@Call() { params, person }: CallOf<typeof endpoints.receipt>): Promise<ReceiptView> {
    const em = this.database.fork();
    const transfer = await em.findOne(Transfer, { id: params.id, userId: person.user.id });
    if (!transfer?.paidAt) throw new Failure('not_found');
    const steps = await em.find(TransferStep, { transferId: transfer.id }, { orderBy: { version: 'asc' } });
    const firstIn = (...states: TransferState[]) =>
      steps.find((step) => states.includes(step.state))?.at.toISOString() ?? null;
    const { payoutTarget: target, cardBrand, cardLast4 } = transfer;
    const { whatsapp, email } = this.env.help;
    return {
      id: transfer.id,
      number: receiptNumber(transfer.id),
      paidAt: transfer.paidAt.toISOString(),
      completedAt: firstIn('completed'),
      estimatedDelivery: transfer.estimatedDelivery.toISOString(),
      returnedAt: firstIn(...returnedStates),
      state: transfer.state,
      cancelRequested: transfer.cancelRequestedAt != null,
      sender: { name: person.user.name, email: person.user.email },
      recipient: target
        ? {
            name: target.name,
            ci: target.ci,
            phone: target.phone,
            city: target.city,
            bankName: target.bankName,
            accountEnding: target.bankAccount.slice(-accountDigitsShown),
          }
        : null,
      currency: transfer.currency,
      netAmount: formatMinor(transfer.netMinor),
      fee: formatMinor(transfer.feeMinor),
      taxes: formatMinor(0n),
      total: formatMinor(transfer.amountMinor),
      rate: formatRate(transfer.rate),
      markupPercent: transfer.markupBasisPoints == null ? null : formatMinor(transfer.markupBasisPoints),
      bolivianos: formatMinor(transfer.bolivianosMinor),
      card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
      payoutReference: transfer.payoutReference ?? null,
      contact: { whatsapp: whatsapp ?? null, email: email ?? null },
    };
  }
}

/** "CHQ-1A2B3C4D": the beginning of the id, short enough to read aloud. The search of transfers finds it as an id. */
function receiptNumber(id: string): string {
  return `CHQ-${id.slice(0, 8).toUpperCase()}`;
}

import { isPermitted } from '#core/accounts/roles';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { payWithCard, sampleRecipient } from '../api-client.ts';
import { cards, type Start } from './commands.ts';
import type { Outcome, Person } from './people.ts';
import { type Agreement, Witness } from './witness.ts';
import type { World } from './world.ts';

const amounts = { small: '50.00', large: '100.00' } as const;

let accounts = 20_000_000_000;
/** The number of an account that no other transfer is paid to: what one account gets counts together. */
export const newAccount = () => String(++accounts);

/** One transfer of a new sender, and the outside knowledge about it. */
export class TransferRun {
  readonly witness = new Witness();
  /** The answer to the last command: `ok`, a failure's code, or null where there was nothing to do. */
  answered: string | null = null;
  /** Whether the sender has reported a problem that no result ended yet. */
  hasOpenReport = false;

  private constructor(
    readonly world: World,
    readonly sender: Person,
    readonly id: string,
    readonly intentId: string,
    readonly recipientId: string,
    /** The charge, in cents. */
    readonly amountMinor: bigint,
    /** What of it is our fee, in cents. */
    readonly feeMinor: bigint,
    /** The payout to the family, in centavos. */
    readonly bolivianosMinor: bigint,
  ) {}

  /** Opens and pays a transfer: its card is held, and the product knows it. */
  static async begin(world: World, { amount, card }: Start): Promise<TransferRun> {
    await world.calm();
    const sender = await world.createPerson('Carmen Rojas', null);
    const recipient = await sender.ask(endpoints.createRecipient, {
      body: { ...sampleRecipient, bankAccount: newAccount(), saveAnyway: true },
    });
    const { id: recipientId } = bodyOf(recipient);
    const body = { amount: amounts[amount], currency: 'usd', recipientId, birthDate: '1990-05-17' } as const;
    const payment = bodyOf(await sender.ask(endpoints.createPaymentIntent, { body }));
    await payWithCard(world.sandboxUrl, payment, cards[card]);
    const transfer = bodyOf(await sender.ask(endpoints.getTransfer, { params: { id: payment.transferId } }));
    const money = [minorOf(transfer.amount), minorOf(transfer.fee), minorOf(transfer.bolivianos)] as const;
    const run = new TransferRun(world, sender, payment.transferId, payment.paymentIntentId, recipientId, ...money);
    world.providers.about = [run.id, run.intentId];
    world.holdsOf = (id) => (id === run.id ? run.witness.activeHolds() : []);
    await world.settle();
    return run;
  }

  /** The open cases as an admin sees them, the oldest first. */
  async cases(by: Person): Promise<DeskCaseView[]> {
    const { openCaseIds } = await this.world.tables.read(this.id);
    const found = await Promise.all(openCaseIds.map((id) => by.ask(endpoints.deskCase, { params: { id } })));
    return found.flatMap((one) => (one.ok ? [one.body.case] : []));
  }

  /** Keeps what a call was answered. */
  note(outcome: { readonly ok: true } | { readonly ok: false; readonly code: string }): void {
    this.answered = outcome.ok ? 'ok' : outcome.code;
  }

  /** A decision was carried out. Requester and approver must both have the permission at this moment. */
  agreed(agreement: Omit<Agreement, 'tick'>): void {
    const { witness, world } = this;
    witness.agreements.push({ ...agreement, tick: world.tick() });
    for (const id of [agreement.requestedBy, agreement.approvedBy]) {
      const person = world.admins.find((one) => one.id === id);
      if (person && !person.blocked && isPermitted(person.role, 'actOnCase')) continue;
      witness.wrongs.push(`${agreement.what} was carried out for ${person?.name}, who may not decide any more`);
    }
  }
}

/** Minor units of an exact amount with two decimals. */
export const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** The body of a call that must not be refused. */
export function bodyOf<Body>(outcome: Outcome<Body>): Body {
  if (!outcome.ok) throw new Error(`refused: ${outcome.status} ${outcome.code}`);
  return outcome.body;
}

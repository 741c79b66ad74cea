import { endpoints } from '#core/contracts/http/endpoints';
import type { DeskAction, DeskCaseView } from '#core/contracts/http/operations';
import { formatMinor } from '#core/money/money';
import type { StopScope } from '#core/money-stops/money-stop';
import type { Command } from './commands.ts';
import type { Person } from './people.ts';
import { bodyOf, minorOf, type TransferRun } from './transfer-run.ts';

const proof = {
  name: 'comprobante.pdf',
  type: 'application/pdf',
  data: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64'),
} as const;
/** What a person shows of a payment by hand. */
const evidence = { bank_reference: 'BNB-777', proof };

type Request = NonNullable<DeskCaseView['request']>;

/** Who approves says which first approval they saw. */
export async function approve(run: TransferRun, by: Person): Promise<void> {
  const { id, witness } = run;
  const seen = await by.ask(endpoints.review, { params: { id } });
  const body = { approval_request_id: seen.ok ? (seen.body.review.approval?.id ?? null) : null };
  const outcome = await by.ask(endpoints.approve, { params: { id }, body });
  run.note(outcome);
  if (!outcome.ok) return;
  if (outcome.body.transaction.state === 'in_review') {
    witness.firstApprovalBy = by.id;
    return;
  }
  const requestedBy = witness.firstApprovalBy ?? by.id;
  run.agreed({ what: 'approve', requestedBy, approvedBy: by.id, minor: null, to: null });
}

async function openComplaint({ id, world }: TransferRun, by: Person) {
  const all = bodyOf(await world.owner.ask(endpoints.adminComplaints, { query: { limit: 100 } }));
  const open = all.items.find(({ transaction }) => transaction.id === id);
  const seen = open && (await by.ask(endpoints.adminComplaint, { params: { id: open.id } }));
  return seen?.ok ? seen.body.complaint : null;
}

/** Ends the investigation of the oldest open report. */
export async function conclude(
  run: TransferRun,
  by: Person,
  { remedy, all }: Pick<Extract<Command, { do: 'conclude' }>, 'remedy' | 'all'>,
): Promise<void> {
  const complaint = await openComplaint(run, by);
  const isOffered = (complaint?.remedies as readonly string[] | undefined)?.includes(remedy);
  if (!complaint?.actions.includes('conclude') || !isOffered) return;
  const part = (whole: string) => (all ? whole : formatMinor(minorOf(whole) / 2n));
  // Only delivered money can be partly refunded or paid a second time.
  const isPaid = complaint.transaction.state === 'completed';
  const body = {
    ...({ finding: 'error', explanation: 'Así fue.', remedy: remedy as 'refund' } as const),
    ...(remedy === 'refund' && { amount: isPaid ? part(complaint.left) : complaint.left }),
    ...(remedy === 'pay_again' && isPaid && { payout: part(complaint.repayable) }),
  };
  const outcome = await by.ask(endpoints.concludeComplaint, { params: { id: complaint.id }, body });
  run.note(outcome);
  if (outcome.ok && outcome.body.complaint.state !== 'awaiting_approval') remedied(run, outcome.body.complaint, by);
}

/** The second person's decision about the result of a report. */
export async function agree(run: TransferRun, by: Person, yes: boolean): Promise<void> {
  const complaint = await openComplaint(run, by);
  if (!complaint?.actions.includes('approve')) return;
  const found_at = complaint.found_at ?? undefined;
  const body = { approve: yes, found_at, ...(!yes && { note: 'Falta algo.' }) };
  const outcome = await by.ask(endpoints.approveComplaint, { params: { id: complaint.id }, body });
  run.note(outcome);
  if (outcome.ok && yes) remedied(run, outcome.body.complaint, by);
}

interface Result {
  readonly state: string;
  readonly amount: string | null;
  readonly payout: { readonly amount: string } | null;
  readonly found_by_id: string | null;
}

function remedied(run: TransferRun, { state, amount, payout, found_by_id }: Result, by: Person): void {
  run.hasOpenReport = state !== 'closed';
  const requestedBy = found_by_id ?? by.id;
  const moved = payout?.amount ?? amount;
  const to = payout ? 'family' : amount ? 'sender' : null;
  run.agreed({ what: 'remedy', requestedBy, approvedBy: by.id, minor: moved === null ? null : minorOf(moved), to });
}

/** Takes the action in the oldest case that offers it. */
export async function act(run: TransferRun, by: Person, action: string): Promise<void> {
  const one = (await run.cases(by)).find(({ actions }) => (actions as readonly string[]).includes(action));
  if (!one) return;
  const body = { action: action as DeskAction, reason: 'Prueba' };
  const outcome = await by.ask(endpoints.actOnCase, { params: { id: one.id }, body });
  run.note(outcome);
  if (!outcome.ok || outcome.body.case.request) return;
  run.agreed({ what: action, requestedBy: by.id, approvedBy: by.id, minor: null, to: null });
}

/** The open reservation for a payment by hand, and whether the payment was made. */
async function reservation(run: TransferRun): Promise<{ request: Request; isPaid: boolean } | null> {
  const requests = (await run.cases(run.world.owner)).flatMap((one): Request[] => (one.request ? [one.request] : []));
  const request = requests.find(({ reserved }) => reserved);
  return request ? { request, isPaid: run.witness.byHand.some(({ requestId }) => requestId === request.id) } : null;
}

/** The admin who reserved the transfer sends the money. */
export async function payByHand(run: TransferRun): Promise<void> {
  const found = await reservation(run);
  if (!found?.request.amount || found.isPaid) return;
  const { id: requestId, action, amount } = found.request;
  const to = action === 'pay_by_hand' ? 'family' : 'sender';
  run.witness.byHand.push({ to, minor: minorOf(amount), tick: run.world.tick(), requestId, declined: false });
  run.answered = 'ok';
}

/** Reports a payment by hand that was made, or says of a reservation that nothing was sent. */
export async function endReservation(run: TransferRun, by: Person, how: 'report' | 'drop'): Promise<void> {
  const found = await reservation(run);
  if (!found?.request.amount || found.isPaid !== (how === 'report')) return;
  const { id, amount } = found.request;
  const body = { ...evidence, amount };
  if (how === 'report') run.note(await by.ask(endpoints.reportSettlement, { params: { id }, body }));
  else run.note(await by.ask(endpoints.dropSettlement, { params: { id } }));
}

/** The second person's decision about the oldest request that waits. */
export async function decide(run: TransferRun, by: Person, yes: boolean): Promise<void> {
  const { tables, owner } = run.world;
  const [id] = (await tables.read(run.id)).waitingRequestIds;
  if (!id) return;
  const request = (await run.cases(owner)).map((one) => one.request).find((one) => one?.id === id);
  const outcome = await by.ask(endpoints.decideDeskRequest, { params: { id }, body: { approve: yes } });
  run.note(outcome);
  if (!outcome.ok) return;
  const reported = run.witness.byHand.find((one) => one.requestId === id);
  const hasEnded = !(await tables.read(run.id)).waitingRequestIds.includes(id);
  if (reported && !yes && hasEnded) reported.declined = true;
  if (!yes || !request) return;
  const { action: what, amount, currency, requested_by_id: requestedBy } = request;
  const to = currency === null ? null : currency === 'BOB' ? 'family' : 'sender';
  run.agreed({ what, requestedBy, approvedBy: by.id, minor: amount === null ? null : minorOf(amount), to });
}

/** The owner changes an admin's role. */
export async function setRole(run: TransferRun, of: Person, role: 'reviewer' | 'support' | null): Promise<void> {
  const body = { adminRole: role };
  const outcome = await run.world.owner.ask(endpoints.setRole, { params: { id: of.id }, body });
  run.note(outcome);
  if (outcome.ok) of.role = role;
}

/** The owner blocks or unblocks an account. */
export async function block(run: TransferRun, who: Person, blocked: boolean): Promise<void> {
  const body = { blocked, reason: 'Sospecha de fraude' };
  const outcome = await run.world.owner.ask(endpoints.blockUser, { params: { id: who.id }, body });
  run.note(outcome);
  if (outcome.ok) who.blocked = blocked;
}

/** Stops the movement of money; one admin is enough. */
export async function stop(run: TransferRun, by: Person, scope: StopScope): Promise<void> {
  run.note(await by.ask(endpoints.setMoneyStop, { body: { scope, reason: 'Prueba' } }));
}

/** Requests to lift the oldest stop, or confirms a colleague's request. */
export async function lift(run: TransferRun, by: Person): Promise<void> {
  const seen = await by.ask(endpoints.moneyStops);
  const [oldest] = seen.ok ? seen.body.stops : [];
  if (!oldest) return;
  const params = { id: oldest.id };
  const requestedBy = oldest.lift?.requested_by_id;
  if (requestedBy === undefined) {
    return run.note(await by.ask(endpoints.requestLift, { params, body: { reason: 'Aclarado' } }));
  }
  const outcome = await by.ask(endpoints.confirmLift, { params });
  run.note(outcome);
  if (outcome.ok) run.agreed({ what: 'lift', requestedBy, approvedBy: by.id, minor: null, to: null });
}

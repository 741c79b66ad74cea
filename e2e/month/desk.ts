import { expect } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DeskCaseView } from '#core/contracts/http/operations';
import type { DeskAction } from '#core/operations/desk-action';
import type { CaseReason } from '#core/operations/desk-case';
import { until } from '../until.ts';
import type { Person } from './people.ts';
import { adminsFor, later, type Sent, type World } from './world.ts';

/** The open case of a transfer, once the desk has it and as wanted. */
export function caseOf(
  world: World,
  sent: Sent,
  reason: CaseReason,
  isReady: (one: DeskCaseView) => boolean = () => true,
): Promise<DeskCaseView> {
  const [admin] = adminsFor(world, sent);
  return until(`the desk has a case ${reason} of transfer ${sent.id}`, async () => {
    const found = (await openCases(admin, reason)).find(({ transaction }) => transaction.id === sent.id);
    if (!found) return null;
    const { case: one } = await admin.call(endpoints.deskCase, { params: { id: found.id } });
    return isReady(one) && one;
  });
}

/** The id of the open case of a transfer, or null where the desk has none. */
export async function findCase(world: World, sent: Sent, reason: CaseReason): Promise<string | null> {
  const [admin] = adminsFor(world, sent);
  return (await openCases(admin, reason)).find(({ transaction }) => transaction.id === sent.id)?.id ?? null;
}

async function openCases(admin: Person, reason: CaseReason): Promise<DeskCaseView[]> {
  const found: DeskCaseView[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { reason, limit: 100, ...(cursor && { cursor }) };
    const page: { items: DeskCaseView[]; nextCursor: string | null } = await admin.call(endpoints.deskCases, { query });
    found.push(...page.items);
    cursor = page.nextCursor;
  }
  return found;
}

/** A manual settlement with its proof. */
interface Settled {
  readonly bank_reference: string;
  readonly amount: string;
  readonly proof: Proof;
}

/** An admin acts on a case and reports manual payments; a second one approves where required. */
export async function act(
  world: World,
  sent: Sent,
  { id, action, settled }: { id: string; action: DeskAction; settled?: Settled },
): Promise<void> {
  const [first, second] = adminsFor(world, sent);
  const body = { action, reason: 'Según el procedimiento.' };
  const { case: acted } = await first.call(endpoints.actOnCase, { params: { id }, body });
  if (!acted.request) return;
  const params = { id: acted.request.id };
  const report = settled && { params, body: settled };
  const requested = report ? (await first.call(endpoints.reportSettlement, report)).case : acted;
  if (!requested.request) return;
  await expect(first.call(endpoints.decideDeskRequest, { params, body: { approve: true } })).rejects.toMatchObject({
    code: 'own_request',
  });
  await second.call(endpoints.decideDeskRequest, { params, body: { approve: true } });
}

/** An admin ends the case of a transfer in the next session; nothing else is done about it. */
export async function resolveLater(world: World, sent: Sent, reason: CaseReason): Promise<void> {
  const { id } = await caseOf(world, sent, reason);
  later(world, 1, () => act(world, sent, { id, action: 'resolve' }));
}

interface Proof {
  readonly name: string;
  readonly type: 'application/pdf';
  readonly data: string;
}
export const proof: Proof = {
  name: 'comprobante.pdf',
  type: 'application/pdf',
  data: Buffer.from('%PDF-1.7 devuelto').toString('base64'),
};

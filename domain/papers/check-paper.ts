import { Failure } from '#core/contracts/failures';
import type { CheckedPaper } from '#core/contracts/http/papers';
import { readPaperCode } from '#core/papers/paper-code';
import { masked, type StatedFacts, sayTheSame } from '#core/papers/stated';
import type { EntityManager } from '#platform/database/database';
import { readReceiptFacts } from '../transfer-views/receipt.ts';
import { findPaper, type Paper } from './paper.repository.ts';
import { readStatement } from './statement.ts';

/**
 * The facts stated by an issued paper, and its current facts where they differ; people's names reduced to initials.
 * @throws Failure `not_found` for an unknown code or file.
 */
export async function checkPaper(
  em: EntityManager,
  by: { readonly code: string } | { readonly fileHash: string },
): Promise<CheckedPaper> {
  const paper = await findPaper(em, 'code' in by ? { code: readPaperCode(by.code) } : by);
  if (!paper) throw new Failure('not_found');
  const now = await currentFacts(em, paper);
  return {
    code: paper.code,
    issuedAt: paper.issuedAt.toISOString(),
    stated: viewOf(paper.facts),
    now: sayTheSame(paper.facts, now) ? null : viewOf(now),
  };
}

/** The contract has mutable lists, the facts have readonly ones. */
const viewOf = (facts: StatedFacts) => masked(facts) as CheckedPaper['stated'];

/** The facts that the paper would state now. A change of the sender's name or e-mail does not make a receipt untrue. */
async function currentFacts(em: EntityManager, { facts, userId, transferId }: Paper): Promise<StatedFacts> {
  if (facts.kind === 'disclosure' || facts.kind === 'letter') return facts;
  if (facts.kind === 'statement') {
    const { period, sender } = facts.statement;
    return { kind: 'statement', statement: await readStatement(em, { id: userId, ...sender }, period) };
  }
  if (!transferId) throw new Error('a receipt without its transfer');
  const sender = { id: userId, ...facts.receipt.sender };
  return { kind: 'receipt', receipt: await readReceiptFacts(em, { sender, transferId }) };
}

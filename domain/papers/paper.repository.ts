import { createHash, randomInt } from 'node:crypto';
import type { Locale } from '#core/locale/locale';
import type { StatedFacts } from '#core/papers/stated';
import type { EntityManager } from '#platform/database/database';
import { Paper, PaperFile } from './paper.entity.ts';

export type { Paper } from './paper.entity.ts';

/** Digits and letters that are hard to confuse (Crockford's base 32). */
const codeSigns = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A hundred bits. */
const codeLength = 20;

const newCode = () => Array.from({ length: codeLength }, () => codeSigns[randomInt(codeSigns.length)]).join('');

/** Canonical JSON: keys are sorted. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(',')}}`;
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Stores the facts of a paper and gives it a code. Facts issued before keep theirs. */
export async function issuePaper(
  em: EntityManager,
  paper: { facts: StatedFacts; userId: string; transferId: string | null; at: Date },
): Promise<Paper> {
  const { facts, userId, transferId, at } = paper;
  const factsHash = sha256(canonical(facts));
  await em
    .createQueryBuilder(Paper)
    .insert({ code: newCode(), kind: facts.kind, userId, transferId, facts, factsHash, issuedAt: at })
    .onConflict('factsHash')
    .ignore()
    .execute();
  return em.findOneOrFail(Paper, { factsHash });
}

/** Stores the hash of a file about to be delivered: of its bytes, or a given hash in hexadecimal. */
export async function keepPaperFile(
  em: EntityManager,
  file: { content: Buffer | { readonly sha256: string }; code: string; language: Locale; at: Date },
): Promise<void> {
  const { content, code, language, at } = file;
  const hash = Buffer.isBuffer(content) ? sha256(content) : content.sha256;
  await em.createQueryBuilder(PaperFile).insert({ hash, code, language, at }).onConflict('hash').ignore().execute();
}

/**
 * A paper by its code, or by the hash of one of its files, or null.
 * @throws when its facts do not match what was issued.
 */
export async function findPaper(
  em: EntityManager,
  by: { readonly code: string } | { readonly fileHash: string },
): Promise<Paper | null> {
  const code = 'code' in by ? by.code : (await em.findOne(PaperFile, { hash: by.fileHash }))?.code;
  const paper = code === undefined ? null : await em.findOne(Paper, { code });
  if (paper && sha256(canonical(paper.facts)) !== paper.factsHash) throw new Error(`the facts of ${code} were changed`);
  return paper;
}

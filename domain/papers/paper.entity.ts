import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { locales } from '#core/locale/locale';
import type { StatedFacts } from '#core/papers/stated';

/** The facts of an issued paper under its printed code. Append-only. */
export const Paper = defineEntity({
  name: 'Paper',
  tableName: 'paper',
  properties: {
    /** Unguessable: anyone who holds the paper may see its facts, masked. */
    code: p.text().primary(),
    kind: p.enum(['receipt', 'statement', 'disclosure', 'letter']),
    userId: p.uuid(),
    /** Null for statements. */
    transferId: p.uuid().nullable(),
    facts: p.json<StatedFacts>(),
    /** SHA-256 of the facts with sorted keys, as hexadecimal digits. */
    factsHash: p.text().unique(),
    issuedAt: p.datetime(),
  },
});
export type Paper = InferEntity<typeof Paper>;

/** A delivered file of a paper, by the SHA-256 of its bytes. Append-only. */
export const PaperFile = defineEntity({
  name: 'PaperFile',
  tableName: 'paper_file',
  properties: {
    hash: p.text().primary(),
    code: p.text(),
    language: p.enum(locales),
    at: p.datetime(),
  },
});
export type PaperFile = InferEntity<typeof PaperFile>;

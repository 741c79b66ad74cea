/** Verification tiers, each including the ones before: verified e-mail address, declared identity, checked document. */
export const tiers = ['email', 'identity', 'document'] as const;
export type Tier = (typeof tiers)[number];

/** The checks that lead to the tiers above the first. */
export const identityLevels = ['identity', 'document'] as const;
export type IdentityLevel = (typeof identityLevels)[number];

/** Documents accepted for verification. */
export const documentTypes = ['passport', 'id_card', 'residence_permit'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Why a check did not end well; its person reads a sentence for it. `in_use`: the document was accepted for another account. */
export const identityDeclineReasons = ['unreadable', 'expired', 'mismatch', 'not_accepted', 'in_use'] as const;
export type IdentityDeclineReason = (typeof identityDeclineReasons)[number];

/** Greek and Cyrillic capitals, each followed by the Latin one that it looks like. */
const lookAlikePairs = 'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅS'.match(/../gu) ?? [];
const lookAlikes = new Map(lookAlikePairs.map((pair) => [pair[0], pair[1]]));

/** Normalises a document number for comparison: NFKC, look-alike letters mapped to Latin ones, separators removed. */
export const bareDocument = (number: string) =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\d]/gu, '')
    .replace(/\p{L}/gu, (letter) => lookAlikes.get(letter) ?? letter);

/** How well an account's person is known, each with all that comes before: by their e-mail address, by what they say of themselves, by their document. */
export const tiers = ['email', 'identity', 'document'] as const;
export type Tier = (typeof tiers)[number];

/** What is checked to reach the tiers above the first. */
export const identityLevels = ['identity', 'document'] as const;
export type IdentityLevel = (typeof identityLevels)[number];

/** Documents by which a person can be known. */
export const documentTypes = ['passport', 'id_card', 'residence_permit'] as const;
export type DocumentType = (typeof documentTypes)[number];

/** Why a check did not end well; its person reads a sentence for it. `in_use`: the document was accepted for another account. */
export const identityDeclineReasons = ['unreadable', 'expired', 'mismatch', 'not_accepted', 'in_use'] as const;
export type IdentityDeclineReason = (typeof identityDeclineReasons)[number];

/** Greek and Cyrillic capitals, each followed by the Latin one that it looks like. */
const lookAlikePairs = 'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅS'.match(/../gu) ?? [];
const lookAlikes = new Map(lookAlikePairs.map((pair) => [pair[0], pair[1]]));

/**
 * The number of a document as it is compared: one form of each letter and digit (NFKC), Latin letters in place of those that look like them, and
 * nothing of what people write in between.
 */
export const bareDocument = (number: string) =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\d]/gu, '')
    .replace(/\p{L}/gu, (letter) => lookAlikes.get(letter) ?? letter);

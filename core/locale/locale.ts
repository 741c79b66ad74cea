/** Languages in which a person can read Chasqui; the first is the one of who never chose. */
export const locales = ['es', 'en'] as const;
export type Locale = (typeof locales)[number];

/** What asks for a second person before a rate is put in force. */
export const guardRails = ['step_too_large', 'above_reference', 'stale_sources'] as const;
export type GuardRail = (typeof guardRails)[number];

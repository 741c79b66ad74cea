/** What rows of lists are remembered in. Apart from the collections: the first page of a visitor needs to know none of them. */
const memories = new Set<{ forget(): void }>();

/** Has a memory forgotten together with all others. */
export function rememberedBy(memory: { forget(): void }): void {
  memories.add(memory);
}

/** Forgets the rows of all collections, as when another person signs in. */
export function forgetRows(): void {
  for (const memory of memories) memory.forget();
}

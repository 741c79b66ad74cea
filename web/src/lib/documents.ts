/** Opens an address of ours as a document of its own, in place of this one. */
export const openDocument = (address: string): void => window.location.replace(address);

/** Loads this page anew. */
export const reloadDocument = (): void => window.location.reload();

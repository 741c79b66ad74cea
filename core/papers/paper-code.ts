/** A paper's code as it is stored, from one that a person typed: without hyphens, O read as zero, I and L as one. */
export const readPaperCode = (typed: string): string =>
  typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');

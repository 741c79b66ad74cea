const small = new Set(['de', 'del', 'la', 'las', 'los', 'y', 'e', 'para']);
/** Written in capitals by the banks themselves too. */
const initials = new Set(['bisa', 'fie', 'bdp', 'bcp', 'bnb', 'pyme', 'sa']);

/** "BANCO NACIONAL DE BOLIVIA" as a person writes it: "Banco Nacional de Bolivia". */
export function bankName(asPublished: string): string {
  return asPublished
    .trim()
    .toLocaleLowerCase('es-BO')
    .split(/\s+/)
    .map((word, index) => {
      if (initials.has(word.replaceAll('.', ''))) return word.toLocaleUpperCase('es-BO');
      if (index > 0 && small.has(word)) return word;
      return word.charAt(0).toLocaleUpperCase('es-BO') + word.slice(1);
    })
    .join(' ');
}

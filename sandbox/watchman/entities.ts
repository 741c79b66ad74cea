/** The listed people of the simulated list service. They are invented; the lists, programs and shapes are real. */
export interface ListedPerson {
  readonly name: string;
  readonly altNames: readonly string[];
  readonly sourceList: string;
  readonly sourceID: string;
  readonly programs: readonly string[];
  readonly birthDate: string | null;
  readonly country: string;
}

export const listedPeople: readonly ListedPerson[] = [
  {
    ...{ name: 'CONDARCO VILLEGAS, Ramiro', altNames: ['El Zurdo'], sourceList: 'us_ofac', sourceID: '900101' },
    ...{ programs: ['SDNTK'], birthDate: '1971-03-02T00:00:00Z', country: 'BO' },
  },
  {
    ...{
      name: 'ARANIBAR QUIROZ, Lidia',
      altNames: ['Lidia Aranibar de Soto'],
      sourceList: 'eu_csl',
      sourceID: 'EU.9001.17',
    },
    ...{ programs: ['VEN'], birthDate: null, country: 'VE' },
  },
  {
    ...{ name: 'BAZANOV, Timur Olegovich', altNames: ['Тимур Базанов'], sourceList: 'uk_csl', sourceID: 'RUS9001' },
    ...{ programs: ['RUSSIA-EO14024'], birthDate: '1964-11-20T00:00:00Z', country: 'RU' },
  },
];

/**
 * Similarity of two names, from 0 to 1: each word of the shorter one against the best match of the other, in any order.
 */
export function likeness(one: string, other: string): number {
  const [few = [], many = []] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length);
  if (few.length === 0) return 0;
  const best = few.map((word) => Math.max(...many.map((against) => jaroWinkler(word, against))));
  const average = best.reduce((sum, score) => sum + score, 0) / best.length;
  // A single shared word does not identify a person.
  return average * (few.length === 1 && many.length > 1 ? 0.8 : 1);
}

function wordsOf(name: string): string[] {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}]+/u).filter((word) => word.length > 1);
}

/** As Watchman compares words: the share of letters in common and in order, and more for the same beginning. */
function jaroWinkler(a: string, b: string): number {
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Set<number>();
  const matched: number[] = [];
  for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - reach); j <= Math.min(b.length - 1, i + reach); j++) {
      if (taken.has(j) || a[i] !== b[j]) continue;
      taken.add(j);
      matched.push(i);
      break;
    }
  }
  if (matched.length === 0) return 0;
  const inOrder = [...taken].sort((x, y) => x - y);
  const swapped = matched.filter((at, index) => a[at] !== b[inOrder[index] as number]).length / 2;
  const count = matched.length;
  const jaro = (count / a.length + count / b.length + (count - swapped) / count) / 3;
  const prefix = [...a.slice(0, 4)].findIndex((letter, index) => letter !== b[index]);
  return jaro + (prefix < 0 ? Math.min(4, a.length) : prefix) * 0.1 * (1 - jaro);
}

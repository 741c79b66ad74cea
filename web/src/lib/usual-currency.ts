import { useSyncExternalStore } from 'react';
import type { SendCurrency } from '#core/money/money';

/** Time zones of the euro area and of the small states that pay in euros, without the continent where that is Europe. */
const euroZones: ReadonlySet<string> = new Set([
  ...['Amsterdam', 'Andorra', 'Athens', 'Berlin', 'Bratislava', 'Brussels', 'Busingen', 'Dublin', 'Helsinki'],
  ...['Lisbon', 'Ljubljana', 'Luxembourg', 'Madrid', 'Malta', 'Mariehamn', 'Monaco', 'Paris', 'Podgorica', 'Riga'],
  ...['Rome', 'San_Marino', 'Sofia', 'Tallinn', 'Vatican', 'Vienna', 'Vilnius', 'Zagreb'],
  ...['Africa/Ceuta', 'Asia/Famagusta', 'Asia/Nicosia', 'Atlantic/Azores', 'Atlantic/Canary', 'Atlantic/Madeira'],
]);

const euroRegions: ReadonlySet<string> = new Set(
  'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA'.split(' '),
);

/**
 * The currency of the cards where a browser is: euros in the euro area, dollars elsewhere. The time zone says where; the
 * language only what its owner reads, and counts where the zone says nothing.
 */
export function currencyOf(timeZone: string | undefined, languageTag: string): SendCurrency {
  const says = timeZone !== undefined && timeZone !== 'UTC' && !timeZone.startsWith('Etc/');
  const inEuros = says
    ? euroZones.has(timeZone.replace(/^Europe\//, ''))
    : euroRegions.has(regionOf(languageTag) ?? '');
  return inEuros ? 'EUR' : 'USD';
}

function regionOf(languageTag: string): string | undefined {
  try {
    return new Intl.Locale(languageTag).region;
  } catch {
    return undefined;
  }
}

/** Asked for at every render, and slow to find out. */
let known: SendCurrency | undefined;

/** The currency that a person pays in as far as this browser can say. */
export const usualCurrency = (): SendCurrency => {
  known ??= currencyOf(Intl.DateTimeFormat().resolvedOptions().timeZone, globalThis.navigator.language);
  return known;
};

const never = () => () => undefined;

/** The same for a component. A prerendered page has dollars at first. */
export const useUsualCurrency = (): SendCurrency => useSyncExternalStore(never, usualCurrency, () => 'USD');

/** How much a page without a draft asks about at first. */
export const firstAmount = '100';

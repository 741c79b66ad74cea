import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { rateSourceNames } from '#core/rates/sources';

/** Those that have a name in each language. */
const names: Readonly<Record<string, MessageDescriptor>> = {
  [rateSourceNames.wiseComparison]: msg`Comparador de Wise`,
  [rateSourceNames.bcb]: msg`Banco Central de Bolivia`,
  [rateSourceNames.bcbList]: msg`Lista del Banco Central de Bolivia`,
  [rateSourceNames.ecb]: msg`Banco Central Europeo`,
};

/** A rate source's name as the reader calls it, from the one that the api gives. */
export function sourceName(name: string): string {
  const known = names[name];
  return known ? i18n._(known) : name;
}

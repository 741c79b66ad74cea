/** Modes of a price site: normal, with a renamed field, with ten times the rates, or with rates a third too high. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';

/** Each name is also the site's path segment below `/prices`. */
export const siteNames = [
  'westernUnion',
  'moneyGram',
  'ria',
  'remitly',
  'wise',
  'bcb',
  'bcbList',
  'dolarApi',
  'criptoYa',
  'binanceP2p',
  'ecb',
] as const;
export type SiteName = (typeof siteNames)[number];

export const priceModeSchema = z.strictObject({
  source: z.enum(siteNames),
  mode: z.enum(['normal', 'changed_shape', 'absurd_value', 'wrong_value']),
});
type PriceMode = z.infer<typeof priceModeSchema>['mode'];

const SETTING = 'price_modes';

/** The mode of every site. */
export function priceModes(context: SandboxContext): Record<SiteName, PriceMode> {
  const set = context.storage.setting<Partial<Record<SiteName, PriceMode>>>(SETTING, {});
  return Object.fromEntries(siteNames.map((name) => [name, set[name] ?? 'normal'])) as Record<SiteName, PriceMode>;
}

/** Must run in a transaction. */
export function setPriceMode(context: SandboxContext, { source, mode }: z.infer<typeof priceModeSchema>): void {
  context.storage.setSetting(SETTING, { ...priceModes(context), [source]: mode });
}

/** Names of a browser and its operating system; null if not recognised. */
export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
}

/** The first that is found counts: browsers also name those they are made like. */
const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\b(Edg|EdgA|EdgiOS)\//],
  ['Opera', /\b(OPR|OPT|OPX)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|\bCriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.* Safari\//],
];
const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /\bWindows NT\b/],
  ['Android', /\bAndroid\b/],
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Mac', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system of a `User-Agent` header, as far as it says. Versions are left out: they tell people nothing and tell them apart. */
export function deviceOf(userAgent: string | undefined): Device {
  const find = (known: typeof browsers) => known.find(([, mark]) => mark.test(userAgent ?? ''))?.[0] ?? null;
  return { browser: find(browsers), system: find(systems) };
}

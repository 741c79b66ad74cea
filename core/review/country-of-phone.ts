/** Countries (ISO 3166) by the calling codes that senders to Bolivia and their families have; North America shares one. */
const countriesByCode: Readonly<Record<string, readonly string[]>> = {
  '1': ['US', 'CA'],
  '31': ['NL'],
  '32': ['BE'],
  '33': ['FR'],
  '34': ['ES'],
  '351': ['PT'],
  '353': ['IE'],
  '39': ['IT'],
  '41': ['CH'],
  '43': ['AT'],
  '44': ['GB'],
  '45': ['DK'],
  '46': ['SE'],
  '47': ['NO'],
  '48': ['PL'],
  '49': ['DE'],
  '51': ['PE'],
  '52': ['MX'],
  '54': ['AR'],
  '55': ['BR'],
  '56': ['CL'],
  '57': ['CO'],
  '58': ['VE'],
  '591': ['BO'],
  '593': ['EC'],
  '595': ['PY'],
  '598': ['UY'],
  '81': ['JP'],
};

/** The countries a phone number with its international prefix can be of; empty for one without, or of a country not listed. */
export function countriesOfPhone(phone: string | null): readonly string[] {
  const digits = /^\s*(?:\+|00)([\d\s().-]+)$/.exec(phone ?? '')?.[1]?.replace(/\D/g, '') ?? '';
  const code = [3, 2, 1]
    .map((length) => digits.slice(0, length))
    .find((prefix) => Object.hasOwn(countriesByCode, prefix));
  return code === undefined ? [] : (countriesByCode[code] ?? []);
}

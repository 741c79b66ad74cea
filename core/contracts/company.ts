import type { Locale } from '../locale/locale.ts';

/** The attribute of a page's `<html>` in which the api names the company, as JSON. */
export const companyAttribute = 'data-company';

/** Placeholder that the build writes and the api replaces. */
export const companyPlaceholder = '{{COMPANY}}';

/** The company that runs this installation, as configured (`COMPANY_*`). Null fields are not shown. */
export interface Company {
  /** No card is charged here, so no licence is needed and none is claimed. */
  readonly isDemonstration: boolean;
  readonly name: string | null;
  readonly license: string | null;
  readonly regulator: string | null;
  /** The entry in the regulator's public register. */
  readonly registerUrl: string | null;
  readonly address: string | null;
  /** How customers' money is protected, in both languages. */
  readonly funds: { readonly es: string; readonly en: string } | null;
}

const textsByLanguage = {
  es: {
    demonstration: 'Modo de demostración: aquí no se cobra ninguna tarjeta.',
    unlicensed: 'Detrás de esta instalación no hay una empresa con licencia para enviar dinero.',
    license: 'Licencia',
    regulator: 'Supervisa',
    register: 'Registro público',
  },
  en: {
    demonstration: 'Demonstration mode: no card is charged here.',
    unlicensed: 'Behind this installation there is no company licensed to send money.',
    license: 'License',
    regulator: 'Supervised by',
    register: 'Public register',
  },
} as const;

/** The company for papers and e-mails: one to three non-empty lines. */
export function companyLines(company: Company, language: Locale): string[] {
  const { isDemonstration, name, address, license, regulator, registerUrl } = company;
  const texts = textsByLanguage[language];
  const entry = [
    ...(license ? [`${texts.license}: ${license}.`] : []),
    ...(regulator ? [`${texts.regulator}: ${regulator}.`] : []),
    ...(registerUrl ? [`${texts.register}: ${registerUrl}`] : []),
  ].join(' ');
  const shown = isDemonstration ? [texts.demonstration, ...(name ? [] : [texts.unlicensed])].join(' ') : '';
  return [shown, [name, address].filter(Boolean).join(' · '), entry].filter((line) => line !== '');
}

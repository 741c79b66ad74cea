import { type Company, companyLines } from '#core/contracts/company';
import { formats } from '#core/locale/format';
import type { Locale } from '#core/locale/locale';
import type { Paper } from './paper.repository.ts';
import type { Seal } from './sheet.ts';

const texts = {
  es: {
    what: 'Este documento se puede comprobar: escanea el código o abre la dirección. La página dice qué emitimos y si sigue vigente.',
    issued: (moment: string) => `Emitido el ${moment}.`,
  },
  en: {
    what: 'This document can be checked: scan the code or open the address. The page says what we issued and whether it still holds.',
    issued: (moment: string) => `Issued on ${moment}.`,
  },
} as const;

/** A code in groups of four, for reading. */
export const groupedCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code;

/** The QR target and issuer of a paper. `publicUrl` is the product's public URL. */
export function sealOf(
  { code, issuedAt }: Paper,
  { language, publicUrl, company }: { language: Locale; publicUrl: string; company: Company },
): Seal {
  const { what, issued } = texts[language];
  const at = issued(formats[language].fullMoment(issuedAt.toISOString()));
  return {
    url: `${publicUrl}/verificar/${code}`,
    code: groupedCode(code),
    lines: [what, at, ...companyLines(company, language)],
  };
}

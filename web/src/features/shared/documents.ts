import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { DocumentType } from '#core/accounts/tiers';

/** Documents by which people are known, in words. */
export const documentNames: Readonly<Record<DocumentType, MessageDescriptor>> = {
  passport: msg`Pasaporte`,
  id_card: msg`Cédula o documento de identidad`,
  residence_permit: msg`Permiso de residencia`,
};

/** The name of a country (ISO 3166-1) in the language of the page; its code where the browser knows none. */
export const countryName = (code: string): string =>
  new Intl.DisplayNames([i18n.locale], { type: 'region', fallback: 'code' }).of(code) ?? code;

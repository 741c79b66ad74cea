import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { DocumentType } from '#core/accounts/tiers';

/** Documents by which people are known, in words. */
export const documentNames: Readonly<Record<DocumentType, MessageDescriptor>> = {
  passport: msg`Pasaporte`,
  id_card: msg`Cédula o documento de identidad`,
  residence_permit: msg`Permiso de residencia`,
};

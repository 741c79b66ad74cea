import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { occupations } from '#core/contracts/http/auth';

/** An occupation, or none that was chosen. */
export type OccupationChoice = '' | (typeof occupations)[number];

const labels = {
  estudiante: msg`Estudiante`,
  empleado: msg`Empleado`,
  autonomo: msg`Autónomo`,
  empresario: msg`Empresario`,
  otro: msg`Otro`,
} as const satisfies Record<(typeof occupations)[number], MessageDescriptor>;

/** What a person chooses their occupation from. */
export const occupationChoices = (): { value: OccupationChoice; label: string }[] => [
  { value: '', label: t`Elige una opción` },
  ...occupations.map((value) => ({ value, label: i18n._(labels[value]) })),
];

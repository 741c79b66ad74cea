import { msg } from '@lingui/core/macro';
/** The parts of landing page B that its menus lead to. */
export const landingBSections = [
  ['#servicios', msg`Servicios`],
  ['#pasos', msg`Cómo enviar`],
  ['#preguntas', msg`Preguntas`],
] as const;

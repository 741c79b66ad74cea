/** The parts of landing page B that its menus lead to. */
export const landingBSections = [
  ['#servicios', 'Servicios'],
  ['#pasos', 'Cómo enviar'],
  ['#preguntas', 'Preguntas'],
] as const;
